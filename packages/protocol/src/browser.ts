/** Browser tabs that a desktop host may lend to an extension. */
import { object, optional } from "./object-schema.ts";
import { boolean, integer, list, named, nonEmpty, oneOf, string, type Infer } from "./schema.ts";

export const BrowserTab = named(
  "BrowserTab",
  object({ tabId: nonEmpty, url: string, title: string, active: boolean, generation: integer() }),
);
export type BrowserTab = Infer<typeof BrowserTab>;

export const BrowserTabListParams = named("BrowserTabListParams", object({}));
export const BrowserTabListResult = named("BrowserTabListResult", object({ tabs: list(BrowserTab) }));

export const BrowserTabOpenParams = named(
  "BrowserTabOpenParams",
  object({ url: nonEmpty, disposition: oneOf(["background", "foreground"]) }),
);
export const BrowserTabOpenResult = named("BrowserTabOpenResult", object({ tab: BrowserTab }));

export const BrowserTabSnapshotParams = named(
  "BrowserTabSnapshotParams",
  object({ tabId: nonEmpty, maxChars: optional(integer({ min: 1 })) }),
);
export const BrowserTabSnapshotResult = named(
  "BrowserTabSnapshotResult",
  object({ tab: BrowserTab, origin: string, snapshot: string }),
);

export const BrowserTabWaitParams = named(
  "BrowserTabWaitParams",
  object({
    tabId: nonEmpty,
    waitUntil: oneOf(["dom_content_loaded", "load", "navigation", "network_idle"]),
    timeoutMillis: optional(integer({ min: 1, max: 30_000 })),
  }),
);
export const BrowserTabWaitResult = named("BrowserTabWaitResult", object({ tab: BrowserTab }));

export const BrowserTabActParams = named(
  "BrowserTabActParams",
  object({
    tabId: nonEmpty,
    expectedOrigin: nonEmpty,
    action: oneOf(["click", "hover", "press", "scroll", "select", "type"]),
    ref: optional(string),
    text: optional(string),
    key: optional(string),
    value: optional(string),
    delta: optional(integer()),
  }),
);
export const BrowserTabActResult = named("BrowserTabActResult", object({ tab: BrowserTab }));
