/** The events that frontends see. */
export {
  EVENT_KINDS,
  isEventKind,
  UNFILTERED_KINDS,
  type AgentEvent,
  type EventBase,
  type EventFields,
  type EventKind,
  type EventOf,
  type Question,
  type Surface,
  type TurnOutcome,
} from "./event.ts";
