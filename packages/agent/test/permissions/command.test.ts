import { describe, expect, it } from "vitest";
import { commandParts } from "../../src/permissions/command.ts";

/** Command, its parts, and the files that it writes to by redirection. */
const READABLE: readonly (readonly [string, readonly string[], (readonly string[])?])[] = [
  ["ls -la", ["ls -la"]],
  ["git status && rm -rf build", ["git status", "rm -rf build"]],
  ["a; b | c || d & e\nf", ["a", "b", "c", "d", "e", "f"]],
  ["echo 'a; rm -rf /' \"b && c\"", ["echo a; rm -rf / b && c"]],
  ["echo $(rm -rf build) done", ["rm -rf build", "echo $(…) done"]],
  ['echo "today: $(date; whoami)"', ["date", "whoami", "echo today: $(…)"]],
  ["echo `rm x`", ["rm x", "echo $(…)"]],
  ["(cd src && rm x)", ["cd src", "rm x"]],
  ["{ rm x; }", ["rm x"]],
  ["if test -f a; then rm a; fi", ["test -f a", "rm a"]],
  ["! rm x", ["rm x"]],
  ["FOO=1 BAR=$(rm x) make", ["rm x", "make"]],
  ["env FOO=1 rm x", ["env FOO=1 rm x", "rm x"]],
  ["sudo -u root rm x", ["sudo -u root rm x", "rm x"]],
  ["timeout -k 5 10 rm x", ["timeout -k 5 10 rm x", "rm x"]],
  ["nohup nice -n 5 rm x", ["nohup nice -n 5 rm x", "nice -n 5 rm x", "rm x"]],
  ["find . | xargs -n 1 rm", ["find .", "xargs -n 1 rm", "rm"]],
  ["r\\m x", ["rm x"]],
  ["'r'm x", ["rm x"]],
  ["rm \\\n x", ["rm x"]],
  ["echo a # ; rm x", ["echo a"]],
  ["echo a#b", ["echo a#b"]],
  ["echo $((1 + 2 * 3))", ["echo $((…))"]],
  ["export A=$B && read -r line", ["export A=$B", "read -r line"]],
  ["printf '%s' \"$x\"", ["printf %s $x"]],
  ["./evil\\=1 ls", ["./evil=1 ls"]],
  ["'if' x", ["if x"]],
  ["> /dev/null { x", ["{ x"]],
  ["A=1 { x", ["{ x"]],
  ["make > out.txt 2>&1", ["make"], ["out.txt"]],
  ["make >/dev/null 2>err.txt", ["make"], ["err.txt"]],
  ["cat < in.txt >> log", ["cat"], ["log"]],
  ["make &> all.log", ["make"], ["all.log"]],
  ["diff <(sort a) <(sort b)", ["sort a", "sort b", "diff <(…) <(…)"]],
  ["echo $HOME ${USER}", ["echo $HOME ${USER}"]],
  ["", []],
];

/** Command, and a word of the reason why it cannot be read. */
const OPAQUE: readonly (readonly [string, string])[] = [
  ["eval rm x", "eval"],
  ["echo $((a))", "computes"],
  ["echo $[a]", "computes"],
  ["((c=a))", "computes"],
  ["echo $((rm x); (echo a))", "computes"],
  ["echo `echo \\`rm x\\``", "inside backticks"],
  ["echo `echo 'a` ; rm x; echo `b'`", "open quote"],
  ["printf '-va[$(rm x)]' y", "printf"],
  ['printf "$x" y', "printf"],
  ["test -v 'a[$(rm x)]'", "test"],
  ["[ -v 'a[$(rm x)]' ]", "["],
  ["let 'a[$(rm x)]=1'", "let"],
  ["read 'a[$(rm x)]'", "read"],
  ["declare 'a[$(rm x)]=1'", "declare"],
  ["export PATH=./evil:$PATH", "export"],
  ["read PATH", "read"],
  ["bash -c 'rm x'", "bash"],
  ["/bin/sh x.sh", "sh"],
  ["source x", "source"],
  ["$CMD x", "not known"],
  ["/bin/r? x", "not known"],
  ["{rm,-rf,x}", "not known"],
  ["trap 'rm x' EXIT", "trap"],
  ["ls\rrm x", "out of place"],
  ["'git status /../evil'", "not known"],
  ["env -S 'rm x'", "takes apart"],
  ["env LD_PRELOAD=/tmp/x.so ls", "sets what decides"],
  ["$(echo rm) x", "not known"],
  ["cat <<EOF\nrm x\nEOF", "here-document"],
  ["echo 'open", "open quote"],
  ['echo "open', "open quote"],
  ["echo $(ls", "no closing )"],
  ["echo )", "closes nothing"],
  ["f() { rm x; }", "function"],
  ["for f in *; do rm $f; done", "for"],
  ["PATH=/tmp/evil ls", "PATH"],
  ["LD_PRELOAD=/tmp/x.so ls", "LD_PRELOAD"],
  ["echo ${x:-$(rm y)}", "parameter expansion"],
  ["echo $'\\x72m'", "escaped string"],
  ["echo x > $FILE", "not known"],
  ["echo $((a[$(rm x)]))", "computes"],
  [`echo ${"$(".repeat(40)}`, "nested too deeply"],
];

describe("a shell command, taken apart", () => {
  for (const [command, parts, writes = []] of READABLE) {
    it(`reads ${JSON.stringify(command)}`, () => {
      expect(commandParts(command)).toEqual({ parts, writes, opaque: null });
    });
  }

  it.each(OPAQUE)("%j cannot be read", (command, why) => {
    expect(commandParts(command).opaque).toContain(why);
  });

  it("ends for every text, also for a long one", () => {
    for (const text of ["`".repeat(999), "$(".repeat(5_000), "<".repeat(999), "\\".repeat(999), "a;".repeat(50_000)]) {
      expect(commandParts(text).parts.length).toBeLessThanOrEqual(50_000);
    }
  });
});
