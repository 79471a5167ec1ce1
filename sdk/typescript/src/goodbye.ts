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
    await Promise.race([said, elapsed(millis)]);
  };
}

async function run(link: Link, onShutdown: NonNullable<Link["extension"]["onShutdown"]>): Promise<void> {
  try {
    await onShutdown(new LinkContext(link));
  } catch (error) {
    link.log(`onShutdown failed: ${messageOf(error)}`, error);
  }
}

function elapsed(millis: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, millis).unref();
  });
}
