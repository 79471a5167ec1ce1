/** Puts plugin packages where a host can link them: our examples freshly built, the raw ones as they are. */
import { chmod, cp, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../../../", import.meta.url));

/** Our examples, each with its sidecar as one CommonJS file, as the project's build makes it. */
export async function packExample(name: string, target: string): Promise<void> {
  const source = join(root, "examples", name);
  await mkdir(target, { recursive: true });
  await cp(join(source, "reasonix-plugin.json"), join(target, "reasonix-plugin.json"));
  await bundle(join(source, "src/sidecar.ts"), join(target, "dist/sidecar.cjs"), "#!/usr/bin/env node");
}

/** A package under `interop/fixtures`, written without our SDK. */
export async function packFixture(name: string, target: string): Promise<void> {
  await cp(join(root, "interop/fixtures", name), target, { recursive: true });
}

/** The scripted model server as one file that Node runs. */
export async function bundleModelServer(target: string): Promise<void> {
  await bundle(join(root, "packages/agent/test/scripted-server/program.ts"), target, "");
}

async function bundle(entry: string, outfile: string, banner: string): Promise<void> {
  await build({
    entryPoints: [entry],
    bundle: true,
    platform: "node",
    target: "node20",
    format: outfile.endsWith(".cjs") ? "cjs" : "esm",
    conditions: ["@reasonix-ts/source"],
    banner: { js: banner },
    outfile,
    logLevel: "error",
  });
  await chmod(outfile, 0o755);
}
