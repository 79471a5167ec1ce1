/** Models that a sidecar written without our SDK brings. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hosts } from "./support/hosts.ts";
import { packFixture } from "./support/packages.ts";
import { openWorkplace, type Workplace } from "./support/workplace.ts";

describe.each(hosts)("on $name", (host) => {
  let place: Workplace;

  beforeAll(async () => {
    place = await openWorkplace(host);
    await packFixture("raw-python", join(place.workspace, "raw-python"));
    await place.link("raw-python");
  });

  afterAll(() => place.close());

  test("[P2] [P3] a raw Python sidecar brings the model of a turn, and the configured model is not asked", async () => {
    const { code, stdout } = await place.run(["--model", "plugin/raw-python/count/three", "count"]);
    expect(stdout).toContain("one, two, three");
    expect(code).toBe(0);
    expect(await place.askedOfModel()).toEqual([]);
  });
});
