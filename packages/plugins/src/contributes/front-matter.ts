/** Takes the YAML head off a Markdown file. */

export interface FrontMatter {
  readonly fields: { readonly [name: string]: unknown };
  readonly body: string;
  /** Why the head could not be read; the body is then all of the text after it. */
  readonly problem: string | null;
}

/** A file without a head has no fields. The YAML parser is loaded when the first head is met. */
export async function readFrontMatter(text: string): Promise<FrontMatter> {
  const [whole = "", head = ""] = /^---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)?---[ \t]*(?:\r?\n|$)/.exec(text) ?? [];
  if (whole === "") return { fields: {}, body: text, problem: null };
  const body = text.slice(whole.length);
  // By its default export: a bundle of this CommonJS package has no other.
  const { parseDocument } = (await import("yaml")).default;
  const document = parseDocument(head, { schema: "core", uniqueKeys: true, logLevel: "silent" });
  const [error] = document.errors;
  if (error === undefined) {
    try {
      const value: unknown = document.toJS({ maxAliasCount: 10 });
      const fields = typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
      return { fields, body, problem: null };
    } catch (caught) {
      return { fields: {}, body, problem: caught instanceof Error ? caught.message : String(caught) };
    }
  }
  // Descriptions with a colon are everywhere in the field, and no YAML: their plain lines are read as they are meant.
  return { fields: plainLines(head), body, problem: error.message.split("\n", 1)[0] ?? "no YAML" };
}

function plainLines(head: string): { readonly [name: string]: string } {
  const fields: { [name: string]: string } = {};
  for (const line of head.split(/\r?\n/)) {
    const [, name, value] = /^([A-Za-z][\w-]*):[ \t]+(.+)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) fields[name] = value.trim().replace(/^(["'])(.*)\1$/, "$2");
  }
  return fields;
}

/** A field as text: numbers and booleans as they are written, lists not at all. */
export function textField(fields: FrontMatter["fields"], name: string): string {
  const value = fields[name];
  if (typeof value === "string") return value.trim();
  if (Array.isArray(value))
    return value
      .filter((one) => typeof one === "string")
      .map((one) => `[${one}]`)
      .join(" ");
  return typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}
