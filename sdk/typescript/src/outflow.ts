/** Sends the chunks of all streams of a connection in turn: so many a tick, and never faster than the pipe takes them. */
import { BOUNDS } from "@reasonix-ts/protocol";
import type { Peer } from "@reasonix-ts/rpc";

export interface Source {
  /** Sends one chunk; false when it has none left. */
  sendOne(): boolean;
  /** Told after every tick in which this source had a turn. */
  ticked(): void;
}

export class Outflow {
  readonly #peer: Peer;
  readonly #sources = new Set<Source>();
  #scheduled = false;

  constructor(peer: Peer) {
    this.#peer = peer;
  }

  /** This source has something to send. */
  ready(source: Source): void {
    this.#sources.add(source);
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(this.#tick);
  }

  forget(source: Source): void {
    this.#sources.delete(source);
  }

  readonly #tick = (): void => {
    const served = new Set<Source>();
    let budget: number = BOUNDS.chunksPerTick;
    while (budget > 0 && this.#sources.size > 0) {
      for (const source of this.#sources) {
        served.add(source);
        if (!source.sendOne()) this.#sources.delete(source);
        budget -= 1;
        if (budget === 0) break;
      }
    }
    void this.#peer.flushed().then(() => {
      this.#scheduled = false;
      for (const source of served) source.ticked();
      const [waiting] = this.#sources;
      if (waiting !== undefined) this.ready(waiting);
    });
  };
}
