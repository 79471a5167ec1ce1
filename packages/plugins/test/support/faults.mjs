/** Loaded before the child program: counts its changes below a folder, and at one of them ends the process or fails the call. */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const { FAULT_STEP, FAULT_KIND, FAULT_BELOW, FAULT_CALLS } = process.env;
let step = 0;

function beforeChange(call, file) {
  if (FAULT_CALLS !== undefined && !FAULT_CALLS.split(",").includes(call)) return;
  if (typeof file !== "string" || !file.startsWith(FAULT_BELOW)) return;
  step += 1;
  if (step !== Number(FAULT_STEP)) return;
  if (FAULT_KIND === "kill") process.kill(process.pid, "SIGKILL");
  throw Object.assign(new Error(`${FAULT_KIND}: fault at ${file}`), { code: FAULT_KIND });
}

const CHANGES = ["rename", "mkdir", "rm", "unlink", "writeFile", "chmod", "symlink", "link"];
for (const name of CHANGES) {
  const promised = fs.promises[name];
  fs.promises[name] = async (...args) => {
    beforeChange(name, args[0]);
    return promised(...args);
  };
  const sync = fs[`${name}Sync`];
  fs[`${name}Sync`] = (...args) => {
    beforeChange(name, args[0]);
    return sync(...args);
  };
}
const open = fs.promises.open;
fs.promises.open = async (file, flags, ...rest) => {
  if (typeof flags === "string" && flags.startsWith("w")) beforeChange("open", file);
  return open(file, flags, ...rest);
};
syncBuiltinESMExports();
