/** How a package of the workspace becomes one that installs alone. */
import { fileURLToPath } from "node:url";

export default {
  format: ["esm"],
  platform: "node",
  target: "node20",
  fixedExtension: false,
  noExternal: [/^@reasonix-ts\//],
  // What others wrote is installed and not copied.
  external: [/^(?!@reasonix-ts\/)@?[a-z][\w-]*(?:\/|$)/],
  tsconfig: fileURLToPath(new URL("../../tsconfig.json", import.meta.url)),
  inputOptions: { resolve: { conditionNames: ["@reasonix-ts/source", "node", "import", "default"] } },
  dts: { eager: true },
};
