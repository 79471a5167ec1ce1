/** The context of a handler that no call bounds: its signal fires when the connection is over. */
import type { Context, Session } from "./context.ts";
import type { Link } from "./link.ts";
import type { Log } from "./log.ts";
import type { HostCall } from "./host-call.ts";
import { createHostCall } from "./link-host-call.ts";
import { createUi } from "./link-ui.ts";
import type { Ui } from "./ui.ts";

export class LinkContext implements Context {
  readonly #link: Link;
  readonly #signal: AbortSignal | undefined;
  #ui: Ui | undefined;

  /** `signal` stands for a shorter life than the connection's. */
  constructor(link: Link, signal?: AbortSignal) {
    this.#link = link;
    this.#signal = signal;
  }

  get session(): Session {
    return this.#link.session;
  }

  get callHost(): HostCall {
    return createHostCall(this.#link);
  }

  get log(): Log {
    return this.#link.log;
  }

  get signal(): AbortSignal {
    return this.#signal ?? this.#link.signal;
  }

  get ui(): Ui {
    this.#ui ??= createUi(this.#link);
    return this.#ui;
  }
}
