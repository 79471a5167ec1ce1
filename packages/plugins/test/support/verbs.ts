/** The child program: `<verb> <home> <argument>`. */
import { tmpdir } from "node:os";
import { installPlugins, PluginError, removePlugin, setPluginEnabled } from "../../src/index.ts";

const [verb, home = "", argument = "", temporary = tmpdir()] = process.argv.slice(2);

try {
  if (verb === "disable") await setPluginEnabled(home, argument, false);
  if (verb === "remove") await removePlugin(home, argument);
  if (verb === "install" || verb === "replace") {
    const machine = {
      platform: process.platform,
      arch: process.arch,
      node: process.execPath,
      environment: process.env,
    };
    const place = { home, cwd: "/", machine, temporary };
    const { actions } = await installPlugins({ source: argument, consent: "yes", replace: verb === "replace" }, place);
    console.log(actions.map((action) => action.verdict).join(","));
  }
} catch (error) {
  console.log(error instanceof PluginError ? `${error.reason}: ${error.message}` : String(error));
  process.exitCode = 1;
}
