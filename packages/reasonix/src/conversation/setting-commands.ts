/** /model and /permissions. */
import { APPROVALS, MODES } from "@reasonix-ts/agent";
import { didYouMean } from "@reasonix-ts/text";
import { modelLines } from "../commands/models.ts";
import type { Talk, TalkCommand } from "./talk.ts";

export const modelCommand: TalkCommand = {
  name: "model",
  usage: "[ref] [effort]",
  summary: "list the models, or choose another",
  whileBusy: false,
  async run(rest, talk) {
    const { runtime, say } = talk;
    const all = modelsOf(talk);
    const [ref, effort] = rest.split(/\s+/);
    if (ref === undefined || ref === "") {
      say(modelLines(all, runtime.session.model.ref));
      return;
    }
    const refs = all.map((model) => model.ref);
    if (!refs.includes(ref)) {
      say([`There is no model ${ref}.${didYouMean(ref, refs)} /model lists them.`]);
      return;
    }
    await runtime.session.setModel(ref, effort ?? null);
    say([`From now on ${ref} answers${effort === undefined ? "" : `, with effort ${effort}`}.`]);
  },
};

function modelsOf({ runtime }: Talk): ReturnType<Talk["runtime"]["models"]["list"]> {
  const lease = runtime.extensions.port?.lease() ?? null;
  try {
    return runtime.models.list(lease);
  } finally {
    lease?.release();
  }
}

const CHANGES = `/permissions mode ${MODES.join("|")}, /permissions approvals ${APPROVALS.join("|")}`;

export const permissionsCommand: TalkCommand = {
  name: "permissions",
  usage: "[mode|approvals …]",
  summary: "what tools may do here, or change it",
  whileBusy: true,
  run(rest, { runtime, say }) {
    const { permissions } = runtime.session;
    const [what, value, ...more] = rest.split(/\s+/);
    const mode = MODES.find((one) => one === value);
    const approvals = APPROVALS.find((one) => one === value);
    if (rest !== "") {
      if (more.length === 0 && what === "mode" && mode !== undefined) permissions.set({ mode });
      else if (more.length === 0 && what === "approvals" && approvals !== undefined) permissions.set({ approvals });
      else {
        say(["That is no change of permissions. They are:", `  ${CHANGES}`]);
        return;
      }
    }
    say([
      `mode:      ${permissions.mode}`,
      `approvals: ${permissions.approvals}`,
      ...(permissions.grants.length === 0 ? [] : [`granted:   ${permissions.grants.join(", ")}`]),
    ]);
  },
};
