/** A linked sidecar whose code changes between two starts. */
import { writeFile } from "node:fs/promises";

const WIRE = new URL("../fixtures/wire.mjs", import.meta.url).href;

export interface Written {
  /** Put behind what is typed, and noted at each point with the process. */
  readonly tag: string;
  /** Members of the answer to initialize. */
  readonly declares?: object;
}

export async function writeSidecar(file: string, { tag, declares = {} }: Written): Promise<void> {
  await writeFile(
    file,
    `#!/usr/bin/env node
import { PROCEED, replace, serve } from ${JSON.stringify(WIRE)};
const tag = ${JSON.stringify(tag)};
const declares = ${JSON.stringify(declares)};
serve(declares, {
  "extension/provider/catalog": () => ({ providers: declares.providers ?? [] }),
  "extension/intercept": ({ event, payload }, host) => {
    host.note({ at: event, tag, by: process.pid });
    return event === "input.receive" ? replace({ text: \`\${payload.text} [\${tag}]\` }) : PROCEED;
  },
});
`,
    { mode: 0o755 },
  );
}

/** A file that is no program. */
export function breakSidecar(file: string): Promise<void> {
  return writeFile(file, "this is { no program\n");
}
