/** Surfaces and questions over a connection. */
import { boolean, jsonObject, object, optional, type QuestionKind } from "@reasonix-ts/protocol";
import type { Link } from "./link.ts";
import type { AskOptions, Question, Ui } from "./ui.ts";
import { readResult } from "./wire.ts";

/** Milliseconds that a host may take to accept a surface. A question has no deadline of its own: people think. */
const PUBLISH_TIMEOUT = 30_000;
/** The key of the one field of a simple question. */
const ANSWER = "answer";

const PublishResult = object({ accepted: optional(boolean) });
const AskResult = object({ cancelled: optional(boolean), values: optional(jsonObject) });

/** `hold` stops the clock of the call on whose behalf a question is asked, until what it returns is called. */
export function createUi(link: Link, hold?: () => () => void): Ui {
  const publish: Ui["publish"] = async (kind, surfaceId, payload) => {
    const { sessionId, generation } = link.session;
    const params = { sessionId, generation, surfaceId, kind, payload };
    const reply = await link.request("host/ui/publish", params, { timeoutMillis: PUBLISH_TIMEOUT });
    return readResult("host/ui/publish", PublishResult, reply).accepted === true;
  };

  const ask: Ui["ask"] = async (kind, payload, options = {}) => {
    const { sessionId, generation } = link.session;
    const surfaceId = options.surfaceId ?? link.nextSurfaceId("question");
    const release = hold?.();
    try {
      const params = { sessionId, generation, surfaceId, kind, payload };
      const reply = await link.request(
        "host/ui/request",
        params,
        options.signal === undefined ? {} : { signal: options.signal },
      );
      const result = readResult("host/ui/request", AskResult, reply);
      return result.cancelled === false ? (result.values ?? {}) : null;
    } finally {
      release?.();
    }
  };

  const askOne = async (
    kind: QuestionKind,
    question: Question<unknown> & { readonly options?: readonly string[] },
    options: AskOptions | undefined,
  ): Promise<unknown> => {
    const { title, message, ...rest } = question;
    const payload = {
      ...(title === undefined ? {} : { title }),
      ...(message === undefined ? {} : { message }),
      fields: [{ key: ANSWER, kind, ...rest }],
    };
    const values = await ask(kind, payload, options);
    return values === null ? null : values[ANSWER];
  };

  return {
    publish,
    ask,
    status: (surfaceId, payload) => publish("status", surfaceId, payload),
    card: (surfaceId, payload) => publish("card", surfaceId, payload),
    form: (surfaceId, payload) => publish("form", surfaceId, payload),
    notify: (payload) => publish("notification", link.nextSurfaceId("notification"), payload),
    confirm: async (question, options) => {
      const answer = await askOne("confirm", question, options);
      return typeof answer === "boolean" ? answer : null;
    },
    input: async (question, options) => textOrNull(await askOne("input", question, options)),
    select: async (question, options) => textOrNull(await askOne("select", question, options)),
    multiselect: async (question, options) => {
      const answer = await askOne("multiselect", question, options);
      return Array.isArray(answer) ? answer.filter((entry) => typeof entry === "string") : null;
    },
  };
}

function textOrNull(answer: unknown): string | null {
  return typeof answer === "string" ? answer : null;
}
