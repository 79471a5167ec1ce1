/** Reads the command line of reasonix-conformance (pure). */
import { parseArgs } from "node:util";

export interface Command {
  /** The program and its arguments; empty when the manifest's command is meant. */
  readonly program: readonly string[];
  readonly manifest: string | null;
  readonly report: "text" | "tap" | "json";
  /** Ids of checks, or beginnings of ids that end with a dot; empty for all. */
  readonly only: readonly string[];
  readonly timeout: number | null;
}

export const USAGE = `Usage: reasonix-conformance [options] <program> [arguments]
       reasonix-conformance [options] <folder with a reasonix-plugin.json>
       reasonix-conformance [options] --manifest <reasonix-plugin.json>

Plays the host of the Reasonix Extension Protocol v2 against any program and says what is wrong with it.

  --manifest <file>   what the sidecar may do, and its command when no program is given;
                      without it, a reasonix-plugin.json beside or above the program is read
  --report <form>     text (default), tap or json
  --only <id,…>       these checks alone; "frames." stands for all that begin so
  --timeout <ms>      stands for every wait instead of the contract's own
  --help              this text

Exit code: 0 it conforms, 1 it does not, 2 it could not be judged.
`;

export type Parsed =
  | { readonly kind: "run"; readonly command: Command }
  | { readonly kind: "help" }
  | { readonly kind: "usage"; readonly problem: string };

/** Options come before the program; what follows it is the program's own. */
export function parseCommand(args: readonly string[]): Parsed {
  let parsed;
  const [own, program] = splitAtProgram(args);
  try {
    parsed = parseArgs({
      args: [...own],
      strict: true,
      options: {
        manifest: { type: "string" },
        report: { type: "string", default: "text" },
        only: { type: "string", default: "" },
        timeout: { type: "string" },
        help: { type: "boolean", default: false },
      },
    });
  } catch (error) {
    return { kind: "usage", problem: error instanceof Error ? error.message : String(error) };
  }
  const { manifest, report, only, timeout, help } = parsed.values;
  if (help) return { kind: "help" };
  if (!isReport(report)) return { kind: "usage", problem: `--report is text, tap or json; "${report}" came` };
  if (timeout !== undefined && !/^[1-9]\d*$/.test(timeout))
    return { kind: "usage", problem: `--timeout is a number of milliseconds; "${timeout}" came` };
  if (program.length === 0 && manifest === undefined)
    return { kind: "usage", problem: "name a program to judge, or a manifest" };
  const command = {
    program,
    manifest: manifest ?? null,
    report,
    only: only.split(",").filter((id) => id !== ""),
    timeout: timeout === undefined ? null : Number(timeout),
  };
  return { kind: "run", command };
}

function isReport(text: string): text is Command["report"] {
  return text === "text" || text === "tap" || text === "json";
}

const WITH_VALUE = new Set(["--manifest", "--report", "--only", "--timeout"]);

function splitAtProgram(args: readonly string[]): readonly [readonly string[], readonly string[]] {
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? "";
    if (arg === "--") return [args.slice(0, index), args.slice(index + 1)];
    if (!arg.startsWith("-")) return [args.slice(0, index), args.slice(index)];
    if (WITH_VALUE.has(arg)) index += 1;
  }
  return [args, []];
}
