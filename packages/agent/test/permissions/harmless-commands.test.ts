import { describe, expect, it } from "vitest";
import { isHarmless } from "../../src/permissions/harmless-commands.ts";

describe("commands that need no question", () => {
  it.each([
    "echo ok",
    "echo 'a; b' && pwd",
    "printf '%s' x",
    "date",
    "date +%F",
    "date -u +%s",
    "uname -a | echo",
    "true",
  ])("%s is harmless", (command) => {
    expect(isHarmless(command, [])).toBe(true);
  });

  it.each([
    "",
    "ls",
    "cat ~/.ssh/id_ed25519",
    "echo x > file",
    "echo x >> file",
    "echo < file",
    "echo $(rm -rf x)",
    "echo `id`",
    "echo ok; rm x",
    "echo ok | sh",
    "echo ok & rm x",
    "date -s 2020-01-01",
    "date -f /etc/passwd",
    "date +%s -f /etc/passwd",
    "date +%s *",
    "printf -v PATH x",
    "printf '-va[$(make)]' x",
    "printf * x",
    "printf {-v,'a[$(make)]'} x",
    "printf \"$(echo '-va[$(make)]')\" x",
    "a=$(echo 'b[$(make)]'); echo $((a))",
    "a=$(echo 'b[$(make)]'); echo $[a]",
    "a=$(echo 'b[$(make)]'); ((c=a)); echo",
    "echo $((make); (echo a))",
    "echo `echo \\`make\\``",
    "echo `echo 'a` ; make; echo `b'`",
    "sudo echo ok",
    "./echo ok",
    "/tmp/echo ok",
    "eval echo ok",
    "bash -c 'echo ok'",
  ])("%j is not", (command) => {
    expect(isHarmless(command, [])).toBe(false);
  });

  it("nor is one that is known to write", () => {
    expect(isHarmless("echo ok", ["file"])).toBe(false);
  });
});
