/** Prints the contract as a page that people read: pure, from the document to Markdown. */
import { fieldRows } from "./fields.mjs";

/** `effects` says what replace and block do at each point; times are in milliseconds, sizes in bytes. */
export function indexPage(document, { digest, effects, deadlines, bounds }) {
  const sections = [
    head(document, digest),
    framesSection(document),
    methodsSection(document),
    pointsSection(document, effects),
    slotsSection(document),
    surfacesSection(document),
    reasonsSection(document),
    limitsSection(document, deadlines, bounds),
    typesSection(document),
  ];
  return `${sections.join("\n\n")}\n`;
}

function head(document, digest) {
  return `# ${document.title}: index

Generated from \`packages/protocol/src\` by \`npm run generate\`; do not edit.

| | |
|---|---|
| protocol id | \`${document.protocolId}\` |
| version in the handshake | \`"${document.protocolVersion}"\` |
| JSON Schema 2020-12 | \`packages/protocol/schema.generated.json\` |
| its SHA-256 | \`${digest}\` |

In the tables below a field is required unless it says optional; an optional field that holds \`null\` counts as absent. A host refuses unknown fields in what an extension sends; an extension keeps unknown fields that a host sends.`;
}

function framesSection({ frameMeta, errorData, limits }) {
  return `## Frames

One JSON object a line, at most ${grouped(limits.frameBytes)} bytes of JSON text, line end not counted. Request ids are integers, \`params\` is an object. Beside \`params\` a frame may hold \`_meta\` (${link(frameMeta)}), which helps authors and is in no payload; other unknown members of a frame are tolerated. The \`data\` of an error is ${link(errorData)}.`;
}

function methodsSection({ methods }) {
  const rows = Object.entries(methods).map(([name, method]) => [
    `\`${name}\`${method.addition ? " (addition: a peer may lack it)" : ""}`,
    method.direction === "host_to_extension" ? "host to extension" : "extension to host",
    method.notification ? "notification" : "request",
    link(method.params),
    method.result === null ? "" : link(method.result),
    method.beforeBarrier ? "yes" : "",
  ]);
  const columns = ["method", "direction", "kind", "params", "result", "before initialized"];
  return `## Methods (${rows.length})\n\n${table(columns, rows)}`;
}

function pointsSection({ points, $defs }, effects) {
  const entries = Object.entries(points).map(([name, point]) => {
    const fields = fieldRows($defs[nameOf(point.payload)]).map((field) => [
      `\`${field.name}\``,
      field.type,
      field.required ? "" : "optional",
      point.fixed.includes(field.name) ? "fixed" : "",
    ]);
    const lines = [
      `### \`${name}\``,
      `${point.family === "fast" ? "Fast" : "Slow"} family. ${ownersOf(point)} ${mustHold(point)}`.trim(),
      table(["field", "type", "", "in a replacement"], fields),
      `- replace: ${effects[name].replace}\n- block: ${effects[name].block}`,
    ];
    if (point.guard) lines.push("An answer that is not understood refuses the operation here.");
    return lines.join("\n\n");
  });
  const rule =
    "A replacement is the whole payload, never a patch. What it must hold is named at each point; any other field that is missing or null counts as its zero value, and a fixed field keeps the host's value.";
  return `## Points (${entries.length})\n\n${rule}\n\n${entries.join("\n\n")}`;
}

function ownersOf({ slots }) {
  if (slots.length === 0) return "No slot.";
  return `The last word has the owner of ${slots.map((slot) => `\`${slot}\``).join(", then of ")}.`;
}

function mustHold({ required, replaceable }) {
  if (!replaceable || required.length === 0) return "";
  return `A replacement must hold ${required.map((pointer) => `\`${pointer}\``).join(", ")}.`;
}

function slotsSection({ slots }) {
  return `## Slots (${slots.length} kinds)\n\n${slots.map((slot) => `- \`${slot}\``).join("\n")}`;
}

function surfacesSection({ surfaces }) {
  const rows = Object.entries(surfaces).map(([kind, payload]) => [`\`${kind}\``, link(payload)]);
  const text = "Every question (`host/ui/request`) carries the payload of a form.";
  return `## Surfaces\n\n${table(["kind", "payload"], rows)}\n\n${text}`;
}

function reasonsSection({ errors }) {
  const rows = errors.map((error) => [
    `\`${error.reason}\``,
    String(error.jsonRpcCode),
    error.retryable ? "yes" : "no",
    error.action,
  ]);
  return `## Reasons (${rows.length})\n\n${table(["reason", "code", "retryable", "what to do"], rows)}`;
}

function limitsSection({ limits }, deadlines, bounds) {
  const rowsOf = (entries, unit) =>
    Object.entries(entries).map(([name, value]) => [`\`${name}\``, grouped(value), unit]);
  return [
    "## Limits",
    table(["limit", "value", "unit"], rowsOf(limits, "bytes")),
    "Waits of this host, in milliseconds (not part of the released contract):",
    table(["wait", "value", "unit"], rowsOf(deadlines, "ms")),
    "Bounds of this host's buffers (not part of the released contract):",
    table(
      ["bound", "value", "unit"],
      Object.entries(bounds).map(([name, value]) => [`\`${name}\``, grouped(value), unitOf(name)]),
    ),
  ].join("\n\n");
}

function typesSection({ $defs }) {
  const entries = Object.entries($defs)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, schema]) => {
      const rows = fieldRows(schema).map((field) => [
        `\`${field.name}\``,
        field.type,
        field.required ? "" : "optional",
        field.externalizable ? "may be externalized" : "",
      ]);
      return `### ${name}\n\n${rows.length === 0 ? "No fields: `{}`." : table(["field", "type", "", ""], rows)}`;
    });
  return `## Types (${entries.length})\n\n${entries.join("\n\n")}`;
}

function table(columns, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(columns), `|${columns.map(() => "---").join("|")}|`, ...rows.map(line)].join("\n");
}

function link(schema) {
  const name = nameOf(schema);
  return `[${name}](#${name.toLowerCase()})`;
}

function nameOf(schema) {
  return schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
}

function unitOf(bound) {
  return bound.endsWith("Bytes") ? "bytes" : "";
}

function grouped(value) {
  return String(value).replaceAll(/\B(?=(\d{3})+$)/g, ",");
}
