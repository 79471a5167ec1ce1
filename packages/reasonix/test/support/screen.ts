/** The command at a pseudo-terminal, with a real terminal emulator reading what it draws. */
import { spawn } from "@lydell/node-pty";
import xterm from "@xterm/headless";
import { afterEach } from "vitest";
import { BIN, until, type App } from "./app.ts";

const undone: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const undo of undone.splice(0).reverse()) await undo();
});

export interface Screen {
  /** Keys as a terminal sends them. */
  type(keys: string): void;
  resize(columns: number): void;
  /** What a person sees, scrolled-off lines included, without blank lines at the end. */
  lines(): readonly string[];
  /** Everything that was written, byte for byte. */
  raw(): string;
  /** Waits until the screen holds the text. */
  shows(text: string): Promise<void>;
  /** Waits until the last line is this. */
  endsWith(line: string): Promise<void>;
  readonly exited: Promise<number>;
}

export const KEYS = {
  enter: "\r",
  up: "\u001b[A",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  ctrlU: "\u0015",
  paste: (text: string) => `\u001b[200~${text.replaceAll("\n", "\r")}\u001b[201~`,
} as const;

export function openScreen(
  app: App,
  args: readonly string[] = [],
  options: { readonly term?: string; readonly columns?: number } = {},
): Screen {
  const { term = "xterm-256color", columns = 80 } = options;
  const terminal = new xterm.Terminal({ cols: columns, rows: 30, scrollback: 5000, allowProposedApi: true });
  const child = spawn(process.execPath, [BIN, ...args], {
    name: term,
    cols: columns,
    rows: 30,
    cwd: app.workspace,
    env: { ...app.env, TERM: term },
  });
  let raw = "";
  let pending = 0;
  let ended = false;
  child.onData((data) => {
    raw += data;
    pending++;
    terminal.write(data, () => pending--);
  });
  const exited = new Promise<number>((resolve) => {
    child.onExit(({ exitCode }) => {
      ended = true;
      resolve(exitCode);
    });
  });
  undone.push(async () => {
    if (!ended) child.kill("SIGKILL");
    await exited;
    terminal.dispose();
  });
  const lines = (): readonly string[] => {
    const { active } = terminal.buffer;
    const all = Array.from(
      { length: active.length },
      (_, row) => active.getLine(row)?.translateToString(true).trimEnd() ?? "",
    );
    return all.slice(0, all.findLastIndex((line) => line !== "") + 1);
  };
  const waitFor = async (condition: () => boolean, what: string): Promise<void> => {
    try {
      await until(() => pending === 0 && condition(), what);
    } catch (error) {
      throw new Error(`${what}; the screen:\n${lines().join("\n")}`, { cause: error });
    }
  };
  return {
    type: (keys) => child.write(keys),
    resize(width) {
      terminal.resize(width, 30);
      child.resize(width, 30);
    },
    lines,
    raw: () => raw,
    shows: (text) => waitFor(() => lines().join("\n").includes(text), `the screen shows ${text}`),
    endsWith: (line) => waitFor(() => lines().at(-1) === line, `the last line is ${line}`),
    exited,
  };
}
