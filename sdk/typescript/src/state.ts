/** JSON in a file of the author's choosing: state that survives a reload, which starts a new process. */
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";

export interface StateFileOptions<T> {
  /** Absolute path of a folder; made when it is not there. A folder for each session keeps sessions apart. */
  readonly directory: string;
  /** `state.json` by default. */
  readonly name?: string;
  /** What `read` gives while there is no file. */
  readonly initial: T;
  /** Makes state of what the file holds; throws if it is of another shape, or brings an older one up to date. */
  readonly parse: (value: unknown) => T;
}

/**
 * One process at a time should write: during a reload the old process and the new one overlap, so write when something
 * has changed, not on shutdown. All methods reject with an error that names the file.
 */
export interface StateFile<T> {
  readonly path: string;
  read(): Promise<T>;
  /** The file is whole at every moment: a reader sees the old state or the new one. */
  write(state: T): Promise<void>;
  /** Reads, changes and writes; updates of this process run one after another. Resolves with the new state. */
  update(change: (state: T) => T): Promise<T>;
}

export function stateFile<T>({ directory, name = "state.json", initial, parse }: StateFileOptions<T>): StateFile<T> {
  const path = join(directory, name);
  let drafts = 0;
  let tail: Promise<unknown> = Promise.resolve();

  /** Runs after everything that was asked before, whether that went well or not. */
  const inTurn = <R>(work: () => Promise<R>): Promise<R> => {
    const turn = tail.then(work, work);
    tail = turn.catch(() => undefined);
    return turn;
  };

  const load = async (): Promise<T> => {
    const text = await readFile(path, "utf8").catch((error: unknown) => {
      if (isMissing(error)) return null;
      throw new Error(`cannot read the state in ${path}`, { cause: error });
    });
    if (text === null) return initial;
    try {
      return parse(JSON.parse(text));
    } catch (error) {
      throw new Error(`the state in ${path} is not of the shape that is wanted; mend or remove the file`, {
        cause: error,
      });
    }
  };

  const save = async (state: T): Promise<void> => {
    drafts += 1;
    const draft = `${path}.${process.pid}-${drafts}.draft`;
    try {
      await mkdir(directory, { recursive: true });
      const file = await open(draft, "w", 0o600);
      try {
        await file.writeFile(`${JSON.stringify(state, null, 2)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(draft, path);
    } catch (error) {
      // What stopped the writing may stop the tidying too; the first cause is the one to tell.
      await rm(draft, { force: true }).catch(() => undefined);
      throw new Error(`cannot write the state to ${path}`, { cause: error });
    }
  };

  return {
    path,
    read: () => inTurn(load),
    write: (state) => inTurn(() => save(state)),
    update: (change) =>
      inTurn(async () => {
        const state = change(await load());
        await save(state);
        return state;
      }),
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
