/** THE table of dangers: programs, when they are dangerous, why, and what to do instead. */
import { readOptions } from "./options.ts";
import type { Word } from "./script.ts";

export interface Danger {
  /** What it does, as the end of "this …". */
  readonly why: string;
  /** How to get there safely, an imperative sentence. */
  readonly instead: string;
}

type Rule = (args: readonly Word[]) => Danger | null;

const removal: Danger = {
  why: "removes whole folders without asking, and nothing brings them back",
  instead: "Move them aside instead (mkdir -p .trash && mv <folder> .trash/), or remove files by name without -f.",
};

const massRemoval: Danger = {
  why: "removes every file that it finds, and nothing brings them back",
  instead: "Run it with -print first, look at the list, then remove files by name.",
};

const deviceWrite: Danger = {
  why: "writes to a device below any file system, which destroys what is stored there",
  instead: "Write to an ordinary file, and let a person copy it to the device.",
};

const formatting: Danger = {
  why: "makes a new file system or wipes an old one, which destroys what is stored there",
  instead: "Work on an image file in your workspace, and let a person format devices.",
};

const openToAll: Danger = {
  why: "opens a whole tree of files to everybody on this machine",
  instead: "Change the one file that needs it, with the least mode that works (chmod u+x <file>).",
};

const untracked: Danger = {
  why: "removes every untracked file, work that was never committed included",
  instead: "List them first (git clean -n -d), then stash them (git stash -u) or remove them by name.",
};

export const foreignCode: Danger = {
  why: "runs code that nobody has read, straight from the network or out of an encoding",
  instead: "Save it to a file, read it, then run the file.",
};

export const forkBomb: Danger = {
  why: "starts processes without end until the machine stands still",
  instead: "Start a bounded number of processes, and wait for them.",
};

export const unreadable: Danger = {
  why: "nests scripts so deeply that a guard cannot read it",
  instead: "Write it as one plain command.",
};

/** Programs by name; `mkfs.ext4` and its like are found under `mkfs`. */
export const RULES: { readonly [program: string]: Rule } = {
  rm: (args) => {
    const options = readOptions(args);
    const recursive = options.has("r", "recursive") || options.has("R");
    const blind = options.has("f", "force") || options.has("", "no-preserve-root") || options.operands.some(isBroad);
    return recursive && blind ? removal : null;
  },
  find: (args) => {
    const texts = args.map(({ text }) => text);
    const runsRm = texts.some((text, at) => /^-(?:exec|execdir|ok|okdir)$/.test(text) && isRm(texts[at + 1]));
    return texts.includes("-delete") || runsRm ? massRemoval : null;
  },
  mkfs: (args) => (asksForHelp(args) ? null : formatting),
  mke2fs: (args) => (asksForHelp(args) ? null : formatting),
  mkswap: (args) => (asksForHelp(args) ? null : formatting),
  wipefs: (args) => (readOptions(args).has("a", "all") ? formatting : null),
  blkdiscard: () => formatting,
  dd: (args) => (args.some(({ text }) => text.startsWith("of=") && isDevice(text.slice(3))) ? deviceWrite : null),
  tee: (args) => (args.some(({ text }) => isDisk(text)) ? deviceWrite : null),
  cp: (args) => (isDisk(args.at(-1)?.text ?? "") ? deviceWrite : null),
  shred: (args) => (args.some(({ text }) => isDisk(text)) ? deviceWrite : null),
  chmod: (args) => {
    const options = readOptions(args);
    const [mode = "", ...targets] = options.operands;
    const open = /^[0-7]?777$/.test(mode) || /^(?:a|ugo|o)?[+=](?:rwx|rw|w|wx)$/.test(mode);
    return options.has("R", "recursive") && open && targets.some(isBroad) ? openToAll : null;
  },
  git: (args) => {
    const command = args.findIndex(({ text }) => text === "clean");
    // Everything before it must be an option of git itself, or the value of one.
    const isClean = command !== -1 && args.slice(0, command).every(({ text }, at) => isGitOption(text, args[at - 1]));
    if (!isClean) return null;
    const options = readOptions(args.slice(command + 1));
    const deep = options.has("d") || options.has("x") || options.has("X");
    return options.has("f", "force") && deep && !options.has("n", "dry-run") ? untracked : null;
  },
};

/** A redirection that overwrites a disk. */
export function redirectDanger(operator: string, target: string): Danger | null {
  return operator.includes(">") && isDisk(target) ? deviceWrite : null;
}

/** Whole trees that belong to the system or the person: `/`, `/etc`, `~`, `$HOME`, `..`, `*`, `.`. */
function isBroad(target: string): boolean {
  const path = target.length > 1 ? target.replace(/\/+\*?$/, "") || "/" : target;
  if (/^(?:\/|\*|\.|\.\.|~|\$HOME|\$\{HOME\}|(?:\.\.\/)*\.\.)$/.test(path)) return true;
  return /^\/(?:bin|boot|dev|etc|home|lib|lib64|opt|proc|root|run|sbin|srv|sys|usr|var|Users|System|Library)$/.test(
    path,
  );
}

/** Anything below /dev that is neither a sink nor one of the process's own streams. */
function isDevice(path: string): boolean {
  return path.startsWith("/dev/") && !/^\/dev\/(?:null|zero|full|tty|stdout|stderr|stdin|fd\/\d+|shm\/.*)$/.test(path);
}

function isDisk(path: string): boolean {
  return /^\/dev\/(?:r?disk\d|[shv]d[a-z]|xvd[a-z]|nvme\d|mmcblk\d|loop\d|md\d|dm-\d|mapper\/|sr\d|block\/)/.test(path);
}

function isRm(program: string | undefined): boolean {
  return program !== undefined && /(?:^|\/)(?:rm|unlink|shred)$/.test(program);
}

function asksForHelp(args: readonly Word[]): boolean {
  return args.length > 0 && args.every(({ text }) => /^(?:--help|-h|--version|-V)$/.test(text));
}

function isGitOption(text: string, previous: Word | undefined): boolean {
  return text.startsWith("-") || /^(?:-C|-c|--git-dir|--work-tree|--namespace)$/.test(previous?.text ?? "");
}
