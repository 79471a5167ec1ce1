/** What this package must know of the machine; the app hands it in, so that every decision can be tested for any system. */

export interface Machine {
  /** `process.platform`. */
  readonly platform: string;
  /** `process.arch`. */
  readonly arch: string;
  /** Absolute path of the host's own Node, which runs `.js`, `.mjs` and `.cjs` files. */
  readonly node: string;
  /** The environment that child processes inherit. */
  readonly environment: Environment;
}

type Environment = { readonly [name: string]: string | undefined };
