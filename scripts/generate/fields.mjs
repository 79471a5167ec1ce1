/** Reads the fields of a printed object schema, each with its type in words. */

/** Returns rows of {name, type, required, externalizable}; `type` is Markdown. */
export function fieldRows(schema) {
  const required = new Set(schema.required ?? []);
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    type: typeText(field),
    required: required.has(name),
    externalizable: field["x-externalizable"] === true,
  }));
}

function typeText(schema) {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    return `[${name}](#${name.toLowerCase()})`;
  }
  if (schema.anyOf !== undefined) {
    return schema.anyOf
      .filter((alternative) => alternative.type !== "null")
      .map(typeText)
      .join(" or ");
  }
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(", ");
  const type = [schema.type].flat().find((name) => name !== "null");
  switch (type) {
    case "array":
      return `list of ${typeText(schema.items)}`;
    case "object":
      return schema.properties === undefined ? objectText(schema) : `{${memberNames(schema)}}`;
    case "string":
      return `string${stringBounds(schema)}`;
    case "integer":
    case "number":
      return `${type}${numberBounds(schema)}`;
    case "boolean":
      return "boolean";
    default:
      return "any JSON";
  }
}

function objectText({ additionalProperties }) {
  return typeof additionalProperties === "object" ? `object of ${typeText(additionalProperties)}` : "object";
}

function memberNames({ properties, required = [] }) {
  return Object.keys(properties)
    .map((name) => `\`${name}\`${required.includes(name) ? "" : "?"}`)
    .join(", ");
}

function stringBounds({ minLength, pattern }) {
  if (pattern !== undefined) return ` matching \`${pattern}\``;
  return minLength === 1 ? ", not empty" : "";
}

function numberBounds({ minimum, maximum }) {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` ≥ ${minimum}`;
  return maximum === undefined ? "" : ` ≤ ${maximum}`;
}
