/** What a `replace` and a `block` do at each point, in sentences for the generated index. */
import type { PointName } from "./points.ts";

export interface PointEffects {
  readonly replace: string;
  readonly block: string;
}

const fixed = "Has no effect: every field keeps the host's value.";
const endsTurn = "Ends the turn.";
const request = "Changes this request only; the transcript keeps what it had.";

export const POINT_EFFECTS: { readonly [P in PointName]: PointEffects } = {
  "session.start": { replace: fixed, block: "Refuses to open the session." },
  "session.load": { replace: fixed, block: "Refuses to load the session." },
  "session.save": { replace: fixed, block: "Keeps the transcript unsaved and tries again; the turn does not fail." },
  "session.rotate": {
    replace: fixed,
    block: "Refuses the rotation. Without it, session.end for the old and session.start for the new session follow.",
  },
  "session.end": { replace: fixed, block: "Is noted; the session closes." },
  "system_prompt.build": { replace: "Changes the prompt.", block: "Fails the generation." },
  "input.receive": { replace: "Changes the text, which is stored.", block: "Ends the turn before it starts." },
  "agent.before_start": { replace: "Has no effect.", block: endsTurn },
  "context.prepare": { replace: request, block: endsTurn },
  "provider.request": { replace: request, block: endsTurn },
  "provider.response": {
    replace: "Is stored, and frontends show it in place of the streamed text.",
    block: "Ends the turn; no tool runs.",
  },
  "tool.before": {
    replace: "Changes what runs; the model's own call stays in the transcript.",
    block: "Refuses the call.",
  },
  "permission.decision": {
    replace: "Has no effect: nothing but hostDecision may differ, and that is not taken over. Rule with allow or deny.",
    block: "Refuses the call and ends the chain.",
  },
  "tool.after": {
    replace: "Changes what the model sees, which is stored.",
    block: "Turns the result into an error.",
  },
  "compaction.prepare": { replace: "Changes what is folded.", block: "Skips the compaction." },
  "compaction.complete": { replace: "Changes the summary, which is stored.", block: "Skips the compaction." },
  "frontend.event": { replace: "Changes text and detail; the kind is fixed.", block: "Hides this one event." },
};
