/** Lets everything pass and counts it: what an extension sees of a turn, in the order in which it sees it. */
import { defineExtension, next, type Continue } from "@reasonix-ts/sdk";

const counts = new Map<string, number>();

function seen(point: string): () => Continue {
  return () => {
    counts.set(point, (counts.get(point) ?? 0) + 1);
    return next();
  };
}

export const extension = defineExtension({
  name: "watcher-extension",
  version: "0.1.0",
  intercept: {
    "session.start": seen("session.start"),
    "session.load": seen("session.load"),
    "session.save": seen("session.save"),
    "session.rotate": seen("session.rotate"),
    "session.end": seen("session.end"),
    "system_prompt.build": seen("system_prompt.build"),
    "input.receive": seen("input.receive"),
    "agent.before_start": seen("agent.before_start"),
    "context.prepare": seen("context.prepare"),
    "provider.request": seen("provider.request"),
    "provider.response": seen("provider.response"),
    "tool.before": seen("tool.before"),
    "permission.decision": seen("permission.decision"),
    "tool.after": seen("tool.after"),
    "compaction.prepare": seen("compaction.prepare"),
    "compaction.complete": seen("compaction.complete"),
    "frontend.event": seen("frontend.event"),
  },
  onShutdown: ({ log }) => {
    for (const [point, count] of counts) log(`${point}: ${count}`);
  },
});
