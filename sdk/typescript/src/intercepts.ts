/** Serves `extension/intercept`: finds the handler, gives it payload and context, answers with its ruling. */
import { isPointName } from "@reasonix-ts/protocol";
import { CONTINUE_RESULT, interceptResult } from "./answer.ts";
import { InterceptCall } from "./budgeted-call.ts";
import type { Link } from "./link.ts";
import type { Observers } from "./observers.ts";
import { fetchPayload, parsePayload, readPayload, type FetchedPayload } from "./payload.ts";
import { rulersOf, type Rulers } from "./rulers.ts";
import { InterceptFrame, readParams } from "./wire.ts";

const METHOD = "extension/intercept";

export function serveIntercepts(link: Link, observers: Observers): void {
  const rulers = rulersOf(link.extension);
  link.peer.onRequest(METHOD, (params, inbound) => {
    const { event: point, seq, payload, timeoutMillis, externalized } = readParams(METHOD, InterceptFrame, params);
    // A newer host may know more points than this version.
    if (!isPointName(point) || !(rulers.at(point) || observers.watchesIntercept(point))) return CONTINUE_RESULT;
    const call = new InterceptCall(link, inbound, timeoutMillis, point, seq);
    const scene = { rulers, observers, call };
    return call.run(() =>
      link.starting === null && externalized === undefined ? ruleOn(scene, payload, null) : prepare(),
    );

    async function prepare(): Promise<unknown> {
      await link.starting;
      if (externalized === undefined) return await ruleOn(scene, payload, null);
      const fetched = await fetchPayload(link, externalized, call.signal);
      return await ruleOn(scene, parsePayload(fetched), fetched);
    }
  });
}

interface Scene {
  readonly rulers: Rulers;
  readonly observers: Observers;
  readonly call: InterceptCall;
}

function ruleOn({ rulers, observers, call }: Scene, raw: unknown, fetched: FetchedPayload | null): unknown {
  const payload = readPayload(call.point, raw);
  const ruler = rulers.find(call.point, payload);
  if (ruler === undefined) return answer(CONTINUE_RESULT, payload);
  const ruling = ruler(payload, call);
  return ruling instanceof Promise ? ruling.then(conclude) : conclude(ruling);

  function conclude(settled: unknown): unknown {
    return answer(interceptResult(call.point, settled, fetched), replacementIn(settled) ?? payload);
  }

  function answer(result: unknown, left: object): unknown {
    observers.intercepted(call, left);
    return result;
  }
}

function replacementIn(ruling: unknown): object | null {
  if (typeof ruling !== "object" || ruling === null || !("replacement" in ruling)) return null;
  return typeof ruling.replacement === "object" ? ruling.replacement : null;
}
