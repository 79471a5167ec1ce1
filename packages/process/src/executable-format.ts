/** Tells from its first bytes what kind of file a command is (pure). */

export type ExecutableFormat =
  | { readonly type: "empty" }
  /** No first line that names an interpreter: the system cannot run it, though a C library may hand it to a shell. */
  | { readonly type: "text" }
  | { readonly type: "script"; readonly interpreter: string; readonly argument: string | null; readonly crlf: boolean }
  | { readonly type: "elf"; readonly cpu: string; readonly loader: string | null }
  | { readonly type: "windows" }
  | { readonly type: "macos" }
  | { readonly type: "binary" };

/** As many bytes as the decision needs. */
export const FORMAT_BYTES = 4_096;

/** Judges the first `FORMAT_BYTES` bytes of a file. */
export function formatOf(head: Buffer): ExecutableFormat {
  if (head.length === 0) return { type: "empty" };
  if (head.toString("latin1", 0, 2) === "#!") return scriptOf(head);
  if (head.toString("latin1", 0, 4) === "\x7fELF") return elfOf(head);
  if (head.toString("latin1", 0, 2) === "MZ") return { type: "windows" };
  const magic = head.length >= 4 ? head.readUInt32BE(0) : 0;
  if (MACH_O.has(magic)) return { type: "macos" };
  return { type: head.includes(0) ? "binary" : "text" };
}

/** Mach-O of 32 and 64 bits in both byte orders, and the file that holds several of them. */
const MACH_O = new Set([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe, 0xcafebabe]);

function scriptOf(head: Buffer): ExecutableFormat {
  const line = head.toString("utf8").split("\n", 1)[0] ?? "";
  const crlf = line.endsWith("\r");
  const [, interpreter = "", argument = ""] = /^#![ \t]*(\S*)[ \t]*(.*)$/.exec(line.trimEnd()) ?? [];
  if (interpreter === "") return { type: "text" };
  return { type: "script", interpreter, argument: argument === "" ? null : argument, crlf };
}

/** ELF machine numbers by Node's names for the same processors. */
const ELF_CPUS: Readonly<Record<number, string>> = {
  3: "ia32",
  8: "mips",
  21: "ppc64",
  22: "s390x",
  40: "arm",
  62: "x64",
  183: "arm64",
  243: "riscv64",
  258: "loong64",
};

function elfOf(head: Buffer): ExecutableFormat {
  if (head.length < 64) return { type: "binary" };
  const little = head[5] !== 2;
  const wide = head[4] === 2;
  const u16 = (at: number): number => (little ? head.readUInt16LE(at) : head.readUInt16BE(at));
  const u32 = (at: number): number => (little ? head.readUInt32LE(at) : head.readUInt32BE(at));
  /** A file offset or size: the low half is enough, since only the first bytes are looked at. */
  const word = (at: number): number => (wide && !little ? u32(at + 4) : u32(at));
  const machine = u16(18);
  const table = word(wide ? 32 : 28);
  const entrySize = u16(wide ? 54 : 42);
  const entries = u16(wide ? 56 : 44);
  let loader: string | null = null;
  for (let i = 0; i < entries; i++) {
    const at = table + i * entrySize;
    if (at + 40 > head.length) break;
    if (u32(at) !== PT_INTERP) continue;
    const start = word(at + (wide ? 8 : 4));
    const end = head.indexOf(0, start);
    if (start < head.length && end > start) loader = head.toString("latin1", start, end);
  }
  return { type: "elf", cpu: ELF_CPUS[machine] ?? `ELF machine ${machine}`, loader };
}

const PT_INTERP = 3;
