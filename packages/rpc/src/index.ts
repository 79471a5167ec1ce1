/** Strict JSON-RPC 2.0 over NDJSON: framer, peer, one ordered writer. Knows nothing of Reasonix. */
export { systemClock, type Clock } from "./clock.ts";
export { portableCodec, type TextCodec } from "./codec.ts";
export { createDeadline, type Deadline } from "./deadline.ts";
export {
  rawJson,
  writtenJson,
  writtenNotification,
  type Members,
  type RawJson,
  type WrittenNotification,
} from "./encode.ts";
export { readEnvelope, type Broken, type Envelope, type JsonObject } from "./envelope.ts";
export {
  CallAborted,
  CallTimeout,
  ConnectionClosed,
  errorCodes,
  FrameTooLarge,
  RpcError,
  type CloseReason,
  type ErrorObject,
  type Truncated,
} from "./errors.ts";
export { defaultFrameLimit, FrameReader, type FrameFault, type FrameSink } from "./frames.ts";
export type {
  CallOptions,
  Direction,
  InboundCall,
  InboundNotification,
  NotificationHandler,
  NotificationOptions,
  NotifyOptions,
  ObservationStats,
  PeerOptions,
  Problem,
  RequestHandler,
  Saturation,
  Stall,
} from "./options.ts";
export { createPair, type Link, type Pair, type Side } from "./pair.ts";
export { createPeer, type Peer } from "./peer.ts";
export type { Transport, Wire, WireListener } from "./wire.ts";
