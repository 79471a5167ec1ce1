/** What a generation remembers of its extensions' conduct: who has ruled, who only listens, what was warned about. */
import type { PointName } from "@reasonix-ts/protocol";
import type { Clock } from "@reasonix-ts/rpc";
import { Bench } from "./bench.ts";

export class Standing {
  readonly bench: Bench;
  readonly #ruled = new Set<string>();
  readonly #listening = new Set<string>();
  readonly #warned = new Set<string>();

  constructor(clock: Clock) {
    this.bench = new Bench(clock);
  }

  /** Whether the plugin has answered anything but `continue`. */
  hasRuled(plugin: string): boolean {
    return this.#ruled.has(plugin);
  }

  rules(plugin: string): void {
    this.#ruled.add(plugin);
  }

  /** Whether the plugin gets this point's events alone. */
  listensOnly(plugin: string, point: PointName): boolean {
    return this.#listening.size > 0 && this.#listening.has(`${plugin} ${point}`);
  }

  listenOnly(plugin: string, point: PointName): void {
    this.#listening.add(`${plugin} ${point}`);
  }

  /** True the first time only. */
  firstWarning(plugin: string, about: string): boolean {
    const key = `${plugin} ${about}`;
    if (this.#warned.has(key)) return false;
    this.#warned.add(key);
    return true;
  }
}
