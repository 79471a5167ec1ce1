/** What the protocol and its guide promise, as rows: who owes each, and when it is due. Tests cite the ids. */
import type { Milestone } from "./milestones.ts";

/** The side that has to keep the promise. */
export type Side = "host" | "sidecar" | "both" | "agent" | "frontend" | "packages" | "sdk";

export interface Requirement {
  readonly id: string;
  readonly section: string;
  readonly sentence: string;
  readonly owes: Side;
  /** The first milestone at which a test must cite it. */
  readonly milestone: Milestone;
}

type Row = readonly [id: string, owes: Side, milestone: Milestone, sentence: string];

const transport: readonly Row[] = [
  [
    "T1",
    "both",
    "thread",
    "Strict JSON-RPC 2.0: one whole JSON object a line on stdin and stdout; writers end lines with LF only.",
  ],
  [
    "T2",
    "both",
    "thread",
    "stderr is the extension's own; the host always drains it and keeps a bounded, redacted tail for error texts.",
  ],
  [
    "T3",
    "both",
    "thread",
    "A frame has at most 8,388,608 bytes of JSON text, both ways; a larger one ends the connection with frame_too_large, and nobody writes what it would refuse.",
  ],
  ["T4", "both", "thread", "Request ids are integers and params is an object."],
  [
    "T5",
    "both",
    "thread",
    "Unknown members of a frame pass; the host refuses unknown fields of params, results and payloads with their path; SDKs keep unknown fields that a host sends.",
  ],
];

const lifecycle: readonly Row[] = [
  [
    "L1",
    "host",
    "thread",
    "Exec form, never a shell; extension/initialize is the first frame and carries the manifest's expectation.",
  ],
  ["L2", "host", "host", "A generation initialises at most four sidecars at a time under one shared budget of 30 s."],
  [
    "L3",
    "both",
    "thread",
    "The declaration is checked: exact major, everything within the manifest; beyond it the handshake fails with capability_not_declared.",
  ],
  [
    "L4",
    "both",
    "thread",
    "extension/initialized opens the barrier; extension-to-host traffic before it ends the connection.",
  ],
  [
    "L5",
    "both",
    "thread",
    "Shutdown is bounded: the request with its timeout, then stdin closes, then the whole tree is killed.",
  ],
  ["L6", "host", "thread", "When a sidecar dies, all its pending calls reject at once."],
  [
    "L7",
    "host",
    "host",
    "If the dead sidecar owned the selected provider or a slot, the operation fails; nothing takes its place in silence.",
  ],
  ["L8", "host", "host", "A crashed sidecar starts again only by a reload while idle."],
];

const content: readonly Row[] = [
  [
    "C1",
    "host",
    "wire",
    "A field over 64 KiB goes to the content store; the frame carries a descriptor, and null in its place.",
  ],
  ["C2", "both", "wire", "The peer pages it back in chunks of 256 KiB and verifies count and hash."],
  ["C3", "both", "wire", "One content object has at most 8 MiB."],
  ["C4", "host", "wire", "Unknown and expired references fail with content_ref_expired."],
];

const interception: readonly Row[] = [
  ["I1", "agent", "host", "Seventeen frozen points; each fires in the agent at its moment, with its payload."],
  ["I2", "host", "thread", "An intercept blocks the operation; an event observes the same points, fire and forget."],
  [
    "I3",
    "host",
    "host",
    "Events go through a bounded queue that never blocks; when it is full the observation is dropped with a warning.",
  ],
  [
    "I4",
    "host",
    "thread",
    "Interceptors run one after another by priority, plugin id, registration; each sees what the one before left.",
  ],
  ["I5", "host", "thread", "continue passes the payload along."],
  ["I6", "agent", "thread", "block ends the operation, with its reason shown to the user."],
  [
    "I7",
    "host",
    "thread",
    "replace puts another payload in place once the host has validated it; an invalid one is refused.",
  ],
  ["I8", "host", "thread", "allow and deny are legal at permission.decision only."],
  ["I9", "agent", "host", "allow overrides a deny of the host and is audited."],
  ["I10", "host", "host", "Ten kinds of slots, and all of them work."],
  [
    "I11",
    "host",
    "host",
    "A slot has exactly one owner over all plugins; a collision fails the build and names both sources.",
  ],
  ["I12", "host", "host", "The chain runs first, the slot's owner has the last word."],
  ["I13", "host", "host", "A timeout or an error of a slot's owner always fails the operation."],
  [
    "I14",
    "host",
    "thread",
    "Fast points have 5 s by default and slow ones 30 s; a manifest may set its own budget up to 60 s.",
  ],
  [
    "I15",
    "host",
    "host",
    "An optional observer that times out is warned about once and skipped; a required one, or an owner, fails the operation.",
  ],
];

const providers: readonly Row[] = [
  [
    "P1",
    "both",
    "host",
    "With the capability providers the extension answers the catalogue with descriptors, never with credentials.",
  ],
  [
    "P2",
    "agent",
    "host",
    "Models appear as plugin/<plugin>/<provider>/<model>, in every place where a model is named, from the first boot on.",
  ],
  [
    "P3",
    "both",
    "host",
    "A stream is open, chunks, end; numbers start at 1 and have no holes; lastSeq freezes the end.",
  ],
  [
    "P4",
    "host",
    "host",
    "The host sorts chunks, drops doubles, and fails a stream whose gap persists, naming the missing number.",
  ],
  ["P5", "both", "host", "Eight chunk types, with the meaning of built-in providers."],
  ["P6", "host", "host", "The host redacts provider errors once more."],
  ["P7", "both", "host", "Cancelling sends stream/cancel, and the sidecar stops producing."],
  ["P8", "host", "host", "The host never sends an extension another provider's keys or headers."],
  ["P9", "agent", "wire", "A provider that crashed never leads to another model."],
  ["P10", "sdk", "host", "The producer redacts provider errors too."],
  ["P11", "agent", "host", "A plugin/… reference without its plugin is an unavailable model, never a crash."],
];

const surfaces: readonly Row[] = [
  ["U1", "host", "host", "With the capability ui: host/ui/publish of status, card, form, notification."],
  ["U2", "host", "bring", "host/ui/request: confirm, input, select, multiselect."],
  [
    "U3",
    "host",
    "bring",
    "Surfaces are structured: no HTML, CSS, scripts, components or uncontrolled addresses; Markdown passes the safe renderer.",
  ],
  [
    "U4",
    "host",
    "host",
    "Every update carries plugin, surface, session and generation; a stale generation is dropped.",
  ],
  [
    "U5",
    "both",
    "bring",
    "Declared actions are /<plugin>:<action> and arrive as extension/ui/action, forms as extension/ui/submit.",
  ],
  [
    "U6",
    "frontend",
    "frontends",
    "Surfaces and actions are native in terminal, desktop and ACP clients, with text fallbacks.",
  ],
  [
    "U7",
    "frontend",
    "frontends",
    "Event kinds extension_surface and extension_status; frontends drop kinds that they do not know.",
  ],
];

const errors: readonly Row[] = [
  [
    "E1",
    "both",
    "thread",
    "Domain errors are -32000 with reason, retryable, action; four reasons use standard codes; the table is frozen.",
  ],
  [
    "E2",
    "both",
    "thread",
    "Within the major only optional fields, enum values and methods are added; a check against the released schema proves it.",
  ],
  ["E3", "host", "thread", "Schema, index and hash are generated, and drift fails the test run."],
];

const security: readonly Row[] = [
  [
    "X1",
    "packages",
    "thread",
    "Only what the plugin flow installed and recorded can start a sidecar; no project file can.",
  ],
  [
    "X2",
    "packages",
    "packages",
    "Installing, updating, replacing and linking are the authorization; the FULL TRUST block is always shown.",
  ],
  [
    "X3",
    "host",
    "wire",
    "Diagnostics, surfaces, reasons and provider errors are redacted; model content stays byte for byte.",
  ],
  [
    "X4",
    "host",
    "authors",
    "A runtime inherits the environment unfiltered, outside of the sandbox, and the docs say so.",
  ],
  ["X5", "packages", "packages", "A link keeps trusting what changes; a copy that changed is reported."],
];

const packages: readonly Row[] = [
  [
    "M1",
    "packages",
    "thread",
    "plugin install with its five flags from git and folders; show, list, doctor, enable, disable, remove, update.",
  ],
  [
    "M2",
    "packages",
    "thread",
    "The native manifest has exactly apiVersion reasonix.io/plugin/v2; no dual read, no silent migration.",
  ],
  [
    "M3",
    "packages",
    "packages",
    "Skills, agents, commands, prompts, hooks, MCP servers and themes run with the host's normal permissions.",
  ],
  ["M4", "packages", "thread", "The FULL TRUST block names command, intercepts, slots, provider and UI capabilities."],
  [
    "M5",
    "packages",
    "packages",
    "Prompts are /<plugin>:<name>; themes are plugin:<plugin>:<theme>, read-only, in the desktop's settings.",
  ],
  [
    "M6",
    "packages",
    "packages",
    "plugin-packages.json keeps its schema; an enabled installed runtime is the trust record.",
  ],
  [
    "M7",
    "agent",
    "packages",
    "Extension state of a session is in <session>.extensions.json; who does not know it ignores it.",
  ],
];

const reload: readonly Row[] = [
  ["R1", "agent", "host", "A change never touches a running turn; a turn pins one generation to its end."],
  [
    "R2",
    "frontend",
    "frontends",
    "Reload by /reload in every frontend, by POST in serve, by the vendor method in ACP.",
  ],
  ["R3", "frontend", "frontends", "While busy, terminal, desktop and ACP queue exactly one reload; serve rejects."],
  ["R4", "agent", "host", "On success one atomic swap that carries session, transcript, grants and goal."],
  ["R5", "host", "host", "If the new build fails the old runtime goes on untouched."],
  ["R6", "host", "host", "Old sidecars retire only after the swap."],
  ["R7", "host", "host", "A reload that changes nothing leaves the provider prefix byte-identical."],
];

const cost: readonly Row[] = [
  ["K1", "agent", "thread", "Without a code runtime: no process, no JSON, no RPC, no queue."],
  [
    "K2",
    "host",
    "host",
    "A stalled optional runtime cannot multiply start-up; what misses the budget degrades or fails.",
  ],
  ["K3", "agent", "host", "An observer leaves the prefix as it is; a stable replacement costs one cold prefix, once."],
  ["K4", "host", "wire", "The host's overhead can be measured with one documented command."],
];

const authors: readonly Row[] = [
  [
    "G1",
    "sdk",
    "authors",
    "An SDK for transport, handshake, sequencing, content and shutdown, without dependencies: TypeScript, Go, Python.",
  ],
  ["G2", "sdk", "thread", "A complete starter package in one folder."],
  ["G3", "sdk", "packages", "The loop: declare, implement, preview, link, doctor, reload, exercise."],
  ["G4", "sdk", "authors", "SDK releases carry immutable tags sdk/<language>/vX.Y.Z."],
];

export const REQUIREMENTS: readonly Requirement[] = [
  ...rows("Transport", transport),
  ...rows("Lifecycle", lifecycle),
  ...rows("Content references", content),
  ...rows("Interception", interception),
  ...rows("Streaming providers", providers),
  ...rows("Structured UI", surfaces),
  ...rows("Errors and the contract", errors),
  ...rows("Security", security),
  ...rows("Plugin packages", packages),
  ...rows("Runtime reload", reload),
  ...rows("Cost", cost),
  ...rows("For extension authors", authors),
];

function rows(section: string, table: readonly Row[]): readonly Requirement[] {
  return table.map(([id, owes, milestone, sentence]) => ({ id, section, sentence, owes, milestone }));
}
