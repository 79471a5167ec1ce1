/** What belongs to one generation of extensions: its tools and its system prompt, built once. */
import type { Ruled } from "./points.ts";
import * as points from "./points.ts";
import type { ExtensionLease, Scope } from "./ports.ts";
import type { Tool } from "./tools/tool.ts";
import { toolSet, type ToolSet } from "./tools/tool-set.ts";

export interface Pinned {
  readonly generation: number;
  readonly tools: ToolSet;
  readonly system: string;
  /** Plugins that changed the host's own prompt. */
  readonly builtBy: readonly string[];
}

export interface PinnedSource {
  readonly ownTools: readonly Tool[];
  readonly workspaceRoot: string;
  /** The host's own prompt, read anew for each generation. */
  readonly prompt: () => Promise<string>;
}

/** Without extensions there is one generation, number 0. */
const NO_GENERATION = 0;

export class PinnedCache {
  readonly #source: PinnedSource;
  #current: Pinned | null = null;

  constructor(source: PinnedSource) {
    this.#source = source;
  }

  get current(): Pinned | null {
    return this.#current;
  }

  /** Other extensions count their generations anew. */
  forget(): void {
    this.#current = null;
  }

  /** The current one where it is of that generation; a failed build is tried anew by the next caller. */
  async of(lease: ExtensionLease | null, scope: Scope): Promise<Ruled<Pinned>> {
    const generation = lease?.generation ?? NO_GENERATION;
    if (this.#current?.generation === generation) {
      return { kind: "proceed", value: this.#current, changedBy: [] };
    }
    const { ownTools, workspaceRoot, prompt } = this.#source;
    const set = toolSet(ownTools, lease);
    if (!set.ok) return { kind: "failed", plugin: "", text: set.problem };
    const built = points.systemPromptBuild(lease, await prompt(), workspaceRoot, scope);
    const ruled = points.isPending(built) ? await built : built;
    if (ruled.kind !== "proceed") return ruled;
    this.#current = { generation, tools: set.tools, system: ruled.value, builtBy: ruled.changedBy };
    return { kind: "proceed", value: this.#current, changedBy: ruled.changedBy };
  }
}
