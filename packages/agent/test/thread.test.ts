import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { bench, blocked, replaced, tableExtensions } from "./support.ts";

describe("the thread: a turn with the offline model", () => {
  it("runs a tool and answers, as the offline model is told to", async () => {
    const { session, of } = await bench();
    const result = await session.turn('hi\nTOOL bash {"command":"echo ok"}');
    expect(result.outcome).toBe("done");
    expect(result.text).toBe("bash: ok\nYou said: hi");
    expect(result.steps).toBe(2);
    expect(of("tool_result").map((event) => [event.name, event.text, event.isError])).toEqual([["bash", "ok", false]]);
    expect(of("turn_done")[0]?.outcome).toBe("done");
  });

  it("[I2] sends the model what input.receive made of the text, and shows what was typed [case I-12]", async () => {
    const extensions = tableExtensions({
      "input.receive": ({ text }) => replaced<"input.receive">({ text: `${text} [rewritten]` }),
    });
    const { session, of } = await bench({ extensions });
    const result = await session.turn("explain protocols");
    expect(result.text).toBe("You said: explain protocols [rewritten]");
    expect(of("user_message")).toEqual([
      {
        kind: "user_message",
        text: "explain protocols",
        sent: "explain protocols [rewritten]",
        changedBy: ["tester"],
      },
    ]);
    expect(extensions.leases).toEqual({ taken: 2, released: 2 });
  });

  it("[I6] tells the model why a guard blocked a command", async () => {
    const extensions = tableExtensions({
      "tool.before": ({ arguments: args }) =>
        args.includes("rm -rf")
          ? blocked("that deletes too much")
          : replaced<"tool.before">({ name: "bash", arguments: args }),
    });
    const { session, of } = await bench({ extensions });
    const result = await session.turn('clean up\nTOOL bash {"command":"rm -rf build"}');
    expect(result.text).toBe("bash: Blocked by guard: that deletes too much\nYou said: clean up");
    expect(of("tool_result")[0]).toMatchObject({ isError: true, text: "Blocked by guard: that deletes too much" });
    expect(of("tool_started")).toEqual([]);
  });

  it("edits files in the workspace and undoes them", async () => {
    const { session, workspace } = await bench();
    const file = path.join(workspace, "a.txt");
    await writeFile(file, "one\ntwo\n");
    await session.turn(
      [
        "go",
        'TOOL edit_file {"path":"a.txt","old_string":"two","new_string":"2"}',
        'TOOL write_file {"path":"sub/b.txt","content":"new"}',
      ].join("\n"),
    );
    expect(await readFile(file, "utf8")).toBe("one\n2\n");
    expect(await readFile(path.join(workspace, "sub/b.txt"), "utf8")).toBe("new");
    const report = await session.undo();
    expect(report).toEqual({ restored: [file], removed: [path.join(workspace, "sub/b.txt")], skipped: [] });
    expect(await readFile(file, "utf8")).toBe("one\ntwo\n");
  });
});
