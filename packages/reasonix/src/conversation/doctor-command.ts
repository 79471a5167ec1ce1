/** /doctor: the checks of `reasonix doctor`, with what the running extensions tell. */
import { examine, factLines, reportLines, trustLines } from "../commands/doctor.ts";
import { checkRuntime } from "../doctor/runtime-checks.ts";
import { extensionsReport } from "../extensions/report.ts";
import type { TalkCommand } from "./talk.ts";

export const doctorCommand: TalkCommand = {
  name: "doctor",
  usage: "",
  summary: "check configuration and extensions",
  whileBusy: true,
  async run(_rest, { runtime, parsed, world, say }) {
    const { facts, findings, plugins } = await examine(parsed, world);
    const { failures, problems } = runtime;
    const report = extensionsReport(runtime.extensions.diagnostics(), { failures, problems, receipts: [] });
    const { prefix } = runtime.session;
    say([
      ...factLines({ ...facts, model: runtime.session.model.ref, prefix: prefix ?? facts.prefix }),
      ...trustLines(plugins),
      ...reportLines([...findings, ...checkRuntime(report, [])]),
    ]);
  },
};
