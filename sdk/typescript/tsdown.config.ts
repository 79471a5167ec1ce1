/** Builds the package: protocol and rpc are bundled in, so that it installs alone. */
import { defineConfig } from "tsdown";

export default defineConfig({
  entry: ["src/index.ts", "src/testing.ts"],
  format: ["esm", "cjs"],
  platform: "node",
  target: "node20",
  fixedExtension: false,
  tsconfig: "../../tsconfig.json",
  inputOptions: { resolve: { conditionNames: ["@reasonix-ts/source", "node", "import", "default"] } },
  dts: { eager: true },
});
