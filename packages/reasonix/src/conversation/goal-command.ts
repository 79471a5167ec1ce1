/** /goal: what the session is to reach; kept with it, and told to the model with every request. */
import type { TalkCommand } from "./talk.ts";

export const goalCommand: TalkCommand = {
  name: "goal",
  usage: "[text|clear]",
  summary: "what this session is to reach: tell it, set it, clear it",
  whileBusy: false,
  async run(rest, { runtime, say }) {
    const { session } = runtime;
    if (rest !== "") await session.setGoal(rest === "clear" ? null : rest);
    say([session.goal === null ? "This session has no goal; /goal <text> sets one." : `The goal: ${session.goal}`]);
  },
};
