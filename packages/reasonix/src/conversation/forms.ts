/** The forms that extensions show now, for the person to fill in. */
import type { Question, Surface } from "@reasonix-ts/events";
import type { FormField } from "@reasonix-ts/protocol";

export type FormSurface = Extract<Surface, { readonly kind: "form" }>;

export class Forms {
  readonly #shown = new Map<string, FormSurface>();

  /** Notes a form, and forgets one whose place another kind of surface has taken. */
  take(surface: Surface): void {
    const key = `${surface.plugin}/${surface.surfaceId}`;
    if (surface.kind === "form") this.#shown.set(key, surface);
    else this.#shown.delete(key);
  }

  /** The form that was shown last, of one plugin or of any; null where there is none. */
  last(plugin?: string): FormSurface | null {
    return [...this.#shown.values()].findLast((form) => plugin === undefined || form.plugin === plugin) ?? null;
  }

  /** A form that was sent is done with. */
  remove({ plugin, surfaceId }: Pick<FormSurface, "plugin" | "surfaceId">): void {
    this.#shown.delete(`${plugin}/${surfaceId}`);
  }
}

/** A form's field as a question: what has no label is called by its key. */
export function questionOf({ key, kind, label, options, default: preset, required }: FormField): Question {
  return {
    key,
    kind,
    label: label ?? key,
    ...(options === undefined ? {} : { options }),
    ...(preset === undefined ? {} : { default: preset }),
    ...(required === undefined ? {} : { required }),
  };
}
