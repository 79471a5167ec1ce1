/** The same packages, the same turns, on this project's command and on the reference host's. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hosts, reference, referenceVersions } from "./support/hosts.ts";
import { packExample, packFixture } from "./support/packages.ts";
import { openWorkplace, type Workplace } from "./support/workplace.ts";

/** Reaches outside of the sandbox, so that a machine without one can run it. */
const FREE = ["--permission-mode", "danger-full-access"];

if (reference !== null) {
  test("[T1] the reference host is installed in the version that the wire shapes are taken from", () => {
    expect(referenceVersions()).toEqual({ wanted: "1.38.11", installed: "1.38.11" });
  });
}

describe.each(hosts)("on $name", (host) => {
  let place: Workplace;

  beforeAll(async () => {
    place = await openWorkplace(host);
    const at = (name: string): string => join(place.workspace, name);
    await Promise.all([
      packExample("starter", at("starter")),
      packExample("guard", at("guard")),
      packFixture("raw-node", at("raw-node")),
      packFixture("raw-python", at("raw-python")),
    ]);
    for (const name of ["starter", "guard", "raw-node", "raw-python"]) await place.link(name);
  });

  afterAll(() => place.close());

  test("[G1] [G2] [I7] the starter, made with our SDK, rewrites the input that the model sees", async () => {
    const { code, stdout } = await place.run(["starter: explain protocols"]);
    expect(await place.askedOfModel()).toEqual(["explain protocols [rewritten by starter-extension]"]);
    expect(stdout).toContain("You said: explain protocols [rewritten by starter-extension]");
    expect(code).toBe(0);
  });

  test("[G1] [I5] [I6] the guard, made with our SDK, refuses a destructive command and lets a harmless one through", async () => {
    const task = 'TOOL bash {"command":"sudo rm -rf /"}\nTOOL bash {"command":"echo fine"}';
    const { code, stdout } = await place.run([...FREE, task]);
    expect(stdout).toContain("guard-extension refuses `sudo rm -rf /`: this removes whole folders");
    expect(stdout).toContain("bash: fine");
    expect(code).toBe(0);
  });

  test("[T1] [I7] a raw Node sidecar rewrites input", async () => {
    await place.askedOfModel();
    const { code, stdout } = await place.run(["raw-node: hello"]);
    expect(await place.askedOfModel()).toEqual(["HELLO"]);
    expect(stdout).toContain("You said: HELLO");
    expect(code).toBe(0);
  });

  test("[C1] [C2] a raw Node sidecar reads input of 400,000 characters by reference, page by page", async () => {
    const { code, stdout } = await place.run([], "é".repeat(400_000));
    expect(stdout).toContain("You said: by reference: 400000 characters");
    expect(code).toBe(0);
  });

  test("[L4] [I2] [L5] a raw Node sidecar is initialised, observes a tool, and is told to leave", async () => {
    const before = (await place.noted()).length;
    await place.run(['TOOL read_file {"path":"nothing-here.txt"}']);
    const frames = (await place.noted()).slice(before);
    expect(frames.slice(0, 2)).toEqual(["extension/initialize", "extension/initialized"]);
    expect(frames.filter((frame) => frame.endsWith(" tool.after"))).toEqual([
      "extension/intercept tool.after",
      "extension/event tool.after",
    ]);
    expect(frames.at(-1)).toBe("extension/shutdown");
  });

  test("[T1] [I6] a raw Python sidecar refuses a command", async () => {
    const { code, stdout } = await place.run([...FREE, 'TOOL bash {"command":"whoami"}']);
    expect(stdout).toContain("raw-python does not say who you are");
    expect(code).toBe(0);
  });
});
