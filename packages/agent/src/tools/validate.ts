/** Judges arguments against a foreign JSON Schema; the validator is loaded with the first call that needs it. */
import type { Ajv, ValidateFunction } from "ajv";

/** Null when the arguments fit, else what is wrong, each with its JSON pointer. Throws when the schema itself is unusable. */
export async function schemaProblem(schema: object, value: unknown): Promise<string | null> {
  const validate = await compiled(schema);
  if (validate(value)) return null;
  const problems = (validate.errors ?? []).map((error) => {
    const at = error.instancePath === "" ? "" : `${error.instancePath} `;
    const extra: unknown = error.params["additionalProperty"];
    return `${at}${error.message ?? "does not fit"}${typeof extra === "string" ? ` (${extra})` : ""}`;
  });
  return problems.join("; ");
}

/** Compiling is dear; a schema lives as long as the tool that brought it. */
const cache = new WeakMap<object, ValidateFunction>();

async function compiled(schema: object): Promise<ValidateFunction> {
  const known = cache.get(schema);
  if (known !== undefined) return known;
  const ajv = await validator(schema);
  const validate = ajv.compile(schema);
  cache.set(schema, validate);
  return validate;
}

async function validator(schema: object): Promise<Ajv> {
  const options = { allErrors: true, strict: false, validateFormats: false, addUsedSchema: false };
  const draft = "$schema" in schema && typeof schema.$schema === "string" ? schema.$schema : "";
  // A schema that names no draft is read as 2020-12, which takes what draft 7 schemas say in practice.
  // A bundle keeps of a CommonJS module its default alone.
  if (/draft-0[4-7]/.test(draft)) return new (await import("ajv")).default.Ajv({ ...options, validateSchema: false });
  return new (await import("ajv/dist/2020.js")).default.Ajv2020({ ...options, validateSchema: false });
}
