/** What a source came to on this disk. */

export interface Fetched {
  /** Absolute: where the package, or the repository that holds it, can be read. */
  readonly root: string;
  /** The folder of the repository that was asked for, relative; empty for all of it. */
  readonly folder: string;
  readonly commit: string | null;
  /** True when `root` is the person's own folder, which is never changed and may be linked. */
  readonly local: boolean;
  /** For messages and for the row: without credentials. */
  readonly label: string;
}

/** Everything a fetcher needs; `scratch` is an empty directory that its caller removes. */
export interface FetchContext {
  readonly cwd: string;
  readonly scratch: string;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly signal?: AbortSignal;
}
