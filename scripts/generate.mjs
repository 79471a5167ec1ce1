#!/usr/bin/env node
/** Writes the contract's generated files, or with `--check` fails where one differs from what it would write. */
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { indexPage } from "./generate/index-page.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const contract = await loadContract();
const files = generatedFiles(contract);
const stale = files.filter(({ path, text }) => readText(path) !== text);

if (!process.argv.includes("--check")) {
  for (const { path, text } of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  console.log(`generate: ${stale.length} of ${files.length} files written`);
} else if (stale.length > 0) {
  for (const { path } of stale) console.error(`${path} differs from its sources in packages/protocol/src`);
  console.error("generate: run `npm run generate` and commit what it writes");
  process.exitCode = 1;
} else {
  console.log(`generate: ${files.length} files are up to date`);
}

function generatedFiles({ contractDocument, contractText, POINT_EFFECTS, DEADLINES, BOUNDS }) {
  const document = contractDocument();
  const text = contractText(document);
  const digest = createHash("sha256").update(text).digest("hex");
  const page = indexPage(document, { digest, effects: POINT_EFFECTS, deadlines: DEADLINES, bounds: BOUNDS });
  return [
    { path: "packages/protocol/schema.generated.json", text },
    { path: "packages/protocol/schema.generated.sha256", text: `${digest}  schema.generated.json\n` },
    { path: "docs/EXTENSION_PROTOCOL.generated.md", text: page },
  ];
}

/** Node 20 cannot load TypeScript: the sources are bundled in memory and loaded from there. */
async function loadContract() {
  const contents = ["contract-document", "point-effects", "limits"]
    .map((name) => `export * from "./${name}.ts";`)
    .join("\n");
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(root, "packages/protocol/src"), loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "neutral",
    target: "node20",
    logLevel: "warning",
  });
  const code = Buffer.from(outputFiles[0].contents).toString("base64");
  return import(`data:text/javascript;base64,${code}`);
}

function readText(path) {
  try {
    return readFileSync(join(root, path), "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw error;
  }
}
