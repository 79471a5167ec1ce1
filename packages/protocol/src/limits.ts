/** The identity, sizes and times that both sides of the protocol hold to. */

export const PROTOCOL_ID = "reasonix.extension.v2";
export const PROTOCOL_VERSION = "2";
export const PROTOCOL_MAJOR = 2;

/** The four sizes of the released contract, in bytes. */
export const LIMITS = {
  /** JSON text of one frame, line end not counted, in both directions. */
  frameBytes: 8_388_608,
  /** JSON text in UTF-8 of `params.payload` above which it moves into the content store. */
  externalizeFieldBytes: 65_536,
  /** One page of content, before base64. */
  contentRefChunkBytes: 262_144,
  /** One content object. */
  contentRefObjectBytes: 8_388_608,
} as const;

/** Waits of the host, in milliseconds. */
export const DEADLINES = {
  startBudget: 30_000,
  interceptFast: 5_000,
  interceptSlow: 30_000,
  interceptCeiling: 60_000,
  shutdownRequest: 5_000,
  shutdownGrace: 750,
  catalog: 10_000,
  streamOpen: 30_000,
  streamSilence: 120_000,
  streamGapAfterEnd: 1_000,
  streamGapBeforeEnd: 10_000,
  streamEndAfterDone: 5_000,
  streamCancel: 5_000,
  uiAction: 30_000,
  toolCall: 300_000,
  writeStall: 10_000,
  /** How long a content reference outlives its call or event. */
  contentRefRetention: 30_000,
  /** How long an observer that failed three times in a row sits out at a point. */
  bench: 60_000,
} as const;

/** Bounds of the host's own buffers. */
export const BOUNDS = {
  startingAtOnce: 4,
  observationFrames: 256,
  observationBytes: 8_388_608,
  /** Of waiting observations, at most this much is handed to a pipe at a time. */
  observationInPipeBytes: 65_536,
  stderrTailBytes: 16_384,
  streamBufferChunks: 1_024,
  streamBufferBytes: 8_388_608,
  priorityMin: -1_000,
  priorityMax: 1_000,
  failuresBeforeBench: 3,
  repaintsPerSecond: 10,
  /** Chunk notifications that an SDK writes in one tick. */
  chunksPerTick: 128,
  quotedBytes: 80,
} as const;
