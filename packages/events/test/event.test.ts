import { describe, expect, expectTypeOf, test } from "vitest";
import { EVENT_KINDS, isEventKind, UNFILTERED_KINDS, type EventKind } from "../src/index.ts";

describe("the event union", () => {
  test("[U7] lists the kinds that the reference names, surfaces and status of extensions among them", () => {
    expect(EVENT_KINDS.join(" ")).toBe(
      "turn_status turn_started turn_phase user_message stream_attempt reasoning text message usage tool_dispatch " +
        "tool_started tool_progress tool_result notice retrying ask_request prompt_answered compaction_started " +
        "compaction_done context_maintenance extension_status extension_surface turn_done",
    );
    expectTypeOf<(typeof EVENT_KINDS)[number]>().toEqualTypeOf<EventKind>();
  });

  test("[U7] tells a kind that it does not know from one that it does", () => {
    expect(isEventKind("extension_surface")).toBe(true);
    expect(isEventKind("hologram")).toBe(false);
  });

  test("keeps prompts, questions, surfaces and notices out of an interceptor's reach", () => {
    expect([...UNFILTERED_KINDS].sort()).toEqual([
      "ask_request",
      "extension_status",
      "extension_surface",
      "notice",
      "prompt_answered",
    ]);
  });
});
