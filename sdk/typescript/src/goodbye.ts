/** The end of an extension: `onShutdown` runs once, in bounded time, whichever way the end comes. */
import { LinkContext } from "./link-context.ts";
import type { Link } from "./link.ts";
import { messageOf } from "./log.ts";

/** Resolves when `onShutdown` has settled or `millis` are over; never rejects. Asked again, it is the same goodbye. */
export type Goodbye = (millis: number) => Promise<void>;

export function createGoodbye(link: Link): Goodbye {
  const { onShutdown } = link.extension;
  let said: Promise<void> | undefined;
  return async (millis) => {
    if (onShutdown === undefined) return;
    said ??= run(link, onShutdown);
    await atMost(said, millis);
  };
}

async function run(link: Link, onShutdown: NonNullable<Link["extension"]["onShutdown"]>): Promise<void> {
  try {
    await onShutdown(new LinkContext(link));
  } catch (error) {
    link.log(`onShutdown failed: ${messageOf(error)}`, error);
  }
}

function atMost(work: Promise<void>, millis: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, millis);
    void work.then(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
