import { defineConfig } from "vitest/config";

const source = "@reasonix-ts/source";

export default defineConfig({
  resolve: { conditions: [source] },
  ssr: { resolve: { conditions: [source, "node", "import", "default"] } },
  test: {
    include: [
      "packages/*/test/**/*.test.ts",
      "sdk/typescript/test/**/*.test.ts",
      "examples/*/test/**/*.test.ts",
      "interop/test/**/*.test.ts",
      "scripts/test/**/*.test.ts",
    ],
    exclude: ["**/node_modules/**", "**/dist/**", "**/fixtures/**"],
    pool: "forks",
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    passWithNoTests: false,
  },
});
