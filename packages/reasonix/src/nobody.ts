/** The person of a headless run: nobody, so that every question is answered at once, and never with a yes. */
import type { Person } from "@reasonix-ts/agent";

export const NOBODY: Person = {
  present: false,
  ask: () => Promise.resolve({ kind: "cancelled" }),
  askPermission: () => Promise.resolve("no"),
};
