/** A plugin package of any supported format, read into one shape. */
import { claimsOf, type Claims } from "../manifest/claims.ts";
import type { Resources, RuntimeBlock } from "../manifest/shape.ts";
import type { CapabilityWire, RequirementWire } from "@reasonix-ts/protocol";

/** `reasonix` is the native format; the others are imported. */
export type PackageKind = "reasonix" | "claude" | "codex";

export interface Package {
  readonly kind: PackageKind;
  /** Absolute. */
  readonly root: string;
  /** Of the manifest, relative to the root. */
  readonly manifestFile: string;
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly requires: readonly RequirementWire[];
  readonly provides: readonly CapabilityWire[];
  readonly resources: Resources;
  readonly runtime: RuntimeBlock | null;
  readonly compatibility: Compatibility;
}

export interface Compatibility {
  /** `full`: everything declared is used. `partial`: something was left out. `none`: nothing can be used. */
  readonly level: "full" | "partial" | "none";
  readonly skipped: readonly Skipped[];
  /** What was read differently from how it stands, without loss. */
  readonly notes: readonly string[];
}

export interface Skipped {
  /** File and JSON pointer, such as `hooks/hooks.json#/PreToolUse/0`. */
  readonly entry: string;
  readonly reason: string;
}

export type LoadedPackage =
  | { readonly ok: true; readonly package: Package }
  | {
      readonly ok: false;
      readonly kind: PackageKind | null;
      readonly file: string;
      readonly problems: readonly string[];
      readonly claims: Claims;
    };

/** A package whose manifest says nothing that can be believed. */
export function refused(kind: PackageKind | null, file: string, problems: readonly string[]): LoadedPackage {
  return { ok: false, kind, file, problems, claims: claimsOf(undefined) };
}

/** Whether anything would come of installing it. */
export function contributesNothing(resources: Resources): boolean {
  return Object.values(resources).every((kind) => (Array.isArray(kind) ? kind : Object.keys(kind)).length === 0);
}
