#!/usr/bin/env node
/**
 * An honest sidecar, and the part that impostors have in common: run by itself it continues everywhere.
 * With `--tag=<text>` it adds a text at input.receive; `--delay=<ms>` makes each answer wait; with `--tell-passage`
 * it blocks and says how the payload travelled.
 */
import { pathToFileURL } from "node:url";

/** `parts` replaces single behaviours: each is `(frame, wire) => void`. */
export function play(parts = {}) {
  const wire = wireOf(process.stdout);
  const methods = {
    "extension/initialize": parts.initialize ?? (({ id }) => wire.answer(id, declaration())),
    "extension/initialized": parts.initialized ?? (() => {}),
    "extension/intercept": parts.intercept ?? (({ id }) => wire.answer(id, { decision: "continue" })),
    "extension/event": parts.event ?? (() => {}),
    "extension/provider/catalog": parts.catalog ?? (({ id }) => wire.answer(id, { providers: [] })),
    "extension/provider/stream/open": parts.open ?? (({ id }) => wire.answer(id, { accepted: false })),
    "extension/provider/stream/cancel": parts.cancel ?? (({ id }) => wire.answer(id, { cancelled: true })),
    "extension/tool/call": parts.tool ?? (({ id }) => wire.answer(id, { content: "", isError: false })),
    "extension/shutdown": parts.shutdown ?? (({ id }) => wire.answer(id, {})),
  };
  const receive = (frame) => {
    const method = methods[frame.method];
    if (method) method(frame, wire);
    else if (frame.method === undefined) parts.reply?.(frame, wire);
    else if (frame.id !== undefined) wire.refuse(frame.id, -32601, "unknown method");
  };
  readLines(process.stdin, (line) => receive(JSON.parse(line)));
  process.stdin.on("end", parts.end ?? (() => process.exit(0)));
  return wire;
}

export function declaration(more = {}) {
  const name = process.env.REASONIX_PLUGIN_NAME || "impostor";
  return { name, version: "1.0.0", protocolVersion: "2", stateSchemaVersion: 0, ...more };
}

/** `--name=value`, or the fallback. */
export function option(name, fallback) {
  const prefix = `--${name}=`;
  return process.argv.find((arg) => arg.startsWith(prefix))?.slice(prefix.length) ?? fallback;
}

function wireOf(output) {
  const line = (text) => void output.write(`${text}\n`);
  const send = (frame) => line(JSON.stringify({ jsonrpc: "2.0", ...frame }));
  return {
    line,
    send,
    answer: (id, result) => send({ id, result }),
    refuse: (id, code, message) => send({ id, error: { code, message } }),
    notify: (method, params) => send({ method, params }),
  };
}

function readLines(input, deliver) {
  let pieces = [];
  input.on("data", (bytes) => {
    for (let start = 0; start < bytes.length;) {
      const end = bytes.indexOf(10, start);
      pieces.push(bytes.subarray(start, end < 0 ? bytes.length : end));
      if (end < 0) return;
      const text = Buffer.concat(pieces).toString("utf8");
      pieces = [];
      start = end + 1;
      if (text.trim() !== "") deliver(text);
    }
  });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const tag = option("tag", "");
  const delay = Number(option("delay", "0"));
  const passage = ({ payload, externalized: [field] = [] }) =>
    payload === null && field ? `by reference ${field.jsonPointer} ${field.totalBytes}` : "inline";
  const rule = ({ event, payload, ...params }) => {
    if (process.argv.includes("--tell-passage")) return { decision: "block", reason: passage({ payload, ...params }) };
    if (tag === "" || event !== "input.receive" || payload === null) return { decision: "continue" };
    return { decision: "replace", replacement: { ...payload, text: payload.text + tag } };
  };
  play({
    intercept: ({ id, params }, wire) => void setTimeout(() => wire.answer(id, rule(params)), delay),
  });
}
