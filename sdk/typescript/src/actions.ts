/** Serves what people do with surfaces: actions that they invoke, forms that they submit. */
import { DEADLINES, UIActionParams, UISubmitParams } from "@reasonix-ts/protocol";
import { BudgetedCall } from "./budgeted-call.ts";
import { failure } from "./failure.ts";
import type { Link } from "./link.ts";
import { readParams } from "./wire.ts";

const ACTION = "extension/ui/action";
const SUBMIT = "extension/ui/submit";

export function serveActions(link: Link): void {
  const { actions = {}, submits = {} } = link.extension.ui ?? {};

  link.peer.onRequest(ACTION, (raw, inbound) => {
    const { actionId, args = {} } = readParams(ACTION, UIActionParams, raw);
    const action = Object.hasOwn(actions, actionId) ? actions[actionId] : undefined;
    if (action === undefined) throw failure("invalid_params", unknown("action", actionId, Object.keys(actions)));
    const call = new BudgetedCall(link, inbound, DEADLINES.uiAction);
    return call.run(async () => {
      await link.starting;
      const message = await action.run(args, call);
      return typeof message === "string" ? { accepted: true, message } : { accepted: true };
    });
  });

  link.peer.onRequest(SUBMIT, (raw, inbound) => {
    const { surfaceId, values } = readParams(SUBMIT, UISubmitParams, raw);
    const submit = Object.hasOwn(submits, surfaceId) ? submits[surfaceId] : undefined;
    if (submit === undefined) throw failure("invalid_params", unknown("form", surfaceId, Object.keys(submits)));
    const call = new BudgetedCall(link, inbound, DEADLINES.uiAction);
    return call.run(async () => {
      await link.starting;
      return { accepted: (await submit(values, call)) !== false };
    });
  });
}

function unknown(what: string, id: string, known: readonly string[]): string {
  return `no ${what} "${id}" here; this extension has ${known.length === 0 ? "none" : known.join(", ")}`;
}
