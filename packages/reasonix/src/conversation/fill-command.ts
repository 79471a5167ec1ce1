/** /fill: asks for the fields of a form that an extension shows, and sends them. */
import { questionOf } from "./forms.ts";
import type { TalkCommand } from "./talk.ts";

export const fillCommand: TalkCommand = {
  name: "fill",
  usage: "[plugin]",
  summary: "fill in the form that an extension shows",
  whileBusy: false,
  async run(rest, { forms, person, runtime, say, stoppable }) {
    const form = forms.last(rest === "" ? undefined : rest);
    if (form === null) {
      say([rest === "" ? "No extension shows a form." : `${rest} shows no form.`]);
      return;
    }
    const { plugin, surfaceId, payload } = form;
    const { title, message, fields } = payload;
    await stoppable(async (signal) => {
      const request = {
        ...(title === undefined ? {} : { title }),
        ...(message === undefined ? {} : { message }),
        questions: fields.map(questionOf),
      };
      const answer = await person.ask(request, { signal });
      if (answer.kind === "cancelled") return;
      const result = await runtime.submitForm({ plugin, surfaceId }, answer.values, { signal });
      if (result.kind === "failed") {
        say([result.message]);
        return;
      }
      if (result.accepted) forms.remove(form);
      say([`[${plugin}] ${result.accepted ? "The form was taken." : "The form was not accepted."}`]);
    });
  },
};
