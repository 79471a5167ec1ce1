/** Boots a host, rules on it for ever, and tells its sidecars' pids: a program to be killed. */
import { bootHost, pidsOf } from "./host.mjs";

const { host } = await bootHost((notice) => console.error(notice.text));
const lease = host.lease();
process.stdout.write(`${JSON.stringify(pidsOf(host))}\n`);
for (;;) await lease.rule("tool.before", { name: "bash", arguments: "{}" }, {});
