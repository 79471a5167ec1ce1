/** Tools that an extension serves. */
import { object } from "./object-schema.ts";
import { boolean, integer, jsonObject, named, nonEmpty, string, type Infer } from "./schema.ts";

export const ToolCallParams = named(
  "ToolCallParams",
  object({ name: nonEmpty, arguments: jsonObject, timeoutMillis: integer({ min: 0 }) }),
);
export type ToolCallParams = Infer<typeof ToolCallParams>;

export const ToolCallResult = named("ToolCallResult", object({ content: string, isError: boolean }));
export type ToolCallResult = Infer<typeof ToolCallResult>;
