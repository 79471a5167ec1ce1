/** Content references: large payloads travel beside the frame, page by page. */
import { object, optional } from "./object-schema.ts";
import { integer, list, matching, named, nonEmpty, oneOf, string, type Infer } from "./schema.ts";

const Sha256 = matching(/^[0-9a-f]{64}$/, "64 lower-case hex digits");

export const ExternalizedField = named(
  "ExternalizedField",
  object({ jsonPointer: nonEmpty, contentRef: nonEmpty, totalBytes: integer({ min: 0 }), sha256: Sha256 }),
);
export type ExternalizedField = Infer<typeof ExternalizedField>;

export const Externalized = optional(list(ExternalizedField));

export const ContentReadParams = named(
  "ContentReadParams",
  object({ contentRef: nonEmpty, offset: integer({ min: 0 }) }),
);
export type ContentReadParams = Infer<typeof ContentReadParams>;

export const ContentReadResult = named(
  "ContentReadResult",
  object({
    contentRef: nonEmpty,
    offset: integer({ min: 0 }),
    dataBase64: string,
    nextOffset: optional(integer({ min: 0 })),
    totalBytes: integer({ min: 0 }),
    sha256: Sha256,
    encoding: oneOf(["utf8"]),
  }),
);
export type ContentReadResult = Infer<typeof ContentReadResult>;
