/** The screen of the in-memory host: keeps what was published, answers what was asked. */
import {
  decode,
  FormPayload,
  problemsText,
  SURFACE_PAYLOADS,
  UIPublishParams,
  UIRequestParams,
  wireError,
  type QuestionKind,
  type Schema,
  type SurfaceKind,
} from "@reasonix-ts/protocol";
import { RpcError, type Peer } from "@reasonix-ts/rpc";
import type { FormValues } from "../ui.ts";

export interface PublishedSurface {
  readonly kind: SurfaceKind;
  readonly surfaceId: string;
  readonly payload: object;
}

export interface AskedQuestion {
  readonly kind: QuestionKind;
  readonly surfaceId: string;
  readonly payload: FormPayload;
}

export class TestSurfaces {
  readonly published: PublishedSurface[] = [];
  readonly questions: AskedQuestion[] = [];

  constructor(peer: Peer, answer: (question: AskedQuestion) => FormValues | null | Promise<FormValues | null>) {
    peer.onRequest("host/ui/publish", (raw) => {
      const { kind, surfaceId, payload } = accept("host/ui/publish params", UIPublishParams, raw);
      const schema: Schema<object> = SURFACE_PAYLOADS[kind];
      this.published.push({ kind, surfaceId, payload: accept(`${kind} payload`, schema, payload) });
      return { accepted: true };
    });
    peer.onRequest("host/ui/request", async (raw) => {
      const { kind, surfaceId, payload } = accept("host/ui/request params", UIRequestParams, raw);
      const question = { kind, surfaceId, payload: accept("question", FormPayload, payload) };
      this.questions.push(question);
      const values = await answer(question);
      return values === null ? { cancelled: true } : { cancelled: false, values };
    });
  }
}

function accept<T>(what: string, schema: Schema<T>, value: unknown): T {
  const decoded = decode(schema, value);
  if (!decoded.ok) throw new RpcError(wireError("invalid_params", problemsText(what, decoded.problems)));
  return decoded.value;
}
