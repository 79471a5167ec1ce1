/** Which handler rules at a point: ordinary interceptors and owners of slots, found by name. */
import { isPointName, parseSlot, type PointName } from "@reasonix-ts/protocol";
import type { InterceptContext } from "./context.ts";
import type { Extension } from "./define.ts";
import type { Awaitable } from "./handlers.ts";

/** A handler whose payload's type is known by the point under which it was found. */
type Ruler = (payload: object, context: InterceptContext) => Awaitable<unknown>;

export interface Rulers {
  /** Whether anything may rule at this point. */
  at(point: string): boolean;
  /** An owner of `tool:<name>` goes before the interceptor of its point. */
  find(point: PointName, payload: object): Ruler | undefined;
}

export function rulersOf({ intercept = {}, replace = {} }: Extension): Rulers {
  const ordinary = new Map<string, Ruler>();
  const byTool = new Map<string, Map<string, Ruler>>();
  for (const [point, handler] of functionsOf(intercept)) ordinary.set(point, handler);
  for (const [name, handlers] of Object.entries(replace)) {
    const slot = parseSlot(name);
    for (const [point, handler] of functionsOf(handlers ?? {})) {
      if (slot?.kind !== "tool") ordinary.set(point, handler);
      else byTool.set(point, (byTool.get(point) ?? new Map<string, Ruler>()).set(slot.name, handler));
    }
  }
  return {
    at: (point) => ordinary.has(point) || byTool.has(point),
    find: (point, payload) => {
      const owners = byTool.get(point);
      const owner = owners !== undefined && "name" in payload ? owners.get(String(payload.name)) : undefined;
      return owner ?? ordinary.get(point);
    },
  };
}

function functionsOf(handlers: object): [PointName, Ruler][] {
  return Object.entries(handlers).flatMap(([point, handler]): [PointName, Ruler][] =>
    // The compiler cannot follow a handler through its point's name; the payload is checked against that point.
    isPointName(point) && typeof handler === "function" ? [[point, handler as Ruler]] : [],
  );
}
