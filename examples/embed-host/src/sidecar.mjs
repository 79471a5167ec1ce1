/** Both extensions, on bare pipes: what the SDK does for an author, in the fewest lines that the protocol allows. */
import { createInterface } from "node:readline";

const [, , role] = process.argv;
const go = { decision: "continue" };

/** Turns every step into a rehearsal. */
const rehearse = ({ name, arguments: text }) => ({
  decision: "replace",
  replacement: { name, arguments: JSON.stringify({ ...JSON.parse(text), dryRun: true }) },
});

/** Refuses what cannot be undone. */
const guard = ({ name }) =>
  name.startsWith("drop_") ? { decision: "block", reason: "nothing is dropped without a person" } : go;

const results = {
  "extension/initialize": () => ({ name: role, version: "1.0.0", protocolVersion: "2", stateSchemaVersion: 0 }),
  "extension/intercept": ({ payload }) => (role === "guard" ? guard(payload) : rehearse(payload)),
  "extension/shutdown": () => ({ accepted: true }),
};

// Enough for plain ASCII and small frames: `readline` also splits at characters that are no line ends here.
createInterface({ input: process.stdin })
  .on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id === undefined) return;
    const result = results[method]?.(params);
    const error = { code: -32601, message: `unknown method ${method}` };
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...(result ? { result } : { error }) })}\n`);
  })
  .on("close", () => process.exit(0));
