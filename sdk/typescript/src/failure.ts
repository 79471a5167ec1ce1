/** Error replies: every one carries a reason of the contract's table. */
import { problemsText, wireError, type Problem as SchemaProblem, type Reason } from "@reasonix-ts/protocol";
import { RpcError, type ErrorObject, type Problem } from "@reasonix-ts/rpc";
import { messageOf } from "./log.ts";

/** An error reply with this reason. */
export function failure(reason: Reason, message: string, cause?: unknown): RpcError {
  return new RpcError(wireError(reason, message), cause === undefined ? undefined : { cause });
}

/** `what` came and is not of its shape: `extension/intercept params`. Every problem is told, with its path. */
export function misshapen(what: string, problems: readonly SchemaProblem[]): RpcError {
  return failure("invalid_params", problemsText(what, problems));
}

/** The error object for what went wrong below a handler; a thrown error's message is told, redacted. */
export function describeFailure(redact: (text: string) => string): (problem: Problem) => ErrorObject {
  return (problem) => {
    switch (problem.kind) {
      case "unknown_method":
        return wireError("unknown_method", `this extension does not serve ${problem.method.slice(0, 80)}`);
      case "invalid_params":
        return wireError("invalid_params", `${problem.method}: params must be an object, not ${problem.got}`);
      case "handler_failed":
        return wireError("internal", redact(messageOf(problem.error)));
      case "reply_too_large":
        return wireError(
          "frame_too_large",
          `the answer to ${problem.method} has ${problem.bytes} bytes, a frame may have ${problem.limit}; answer less`,
        );
    }
  };
}
