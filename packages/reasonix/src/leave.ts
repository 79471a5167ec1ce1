/** Leaves at once: what this process has started is killed first, whatever it was about. */
import { EXIT } from "./world.ts";

/** How long the killing may take before the process ends all the same. */
const DEADLINE_MILLIS = 1_000;

export async function leaveNow(): Promise<never> {
  try {
    const { endMarked } = await import("@reasonix-ts/process");
    // All that was started from here carries a marker that begins with this process's id.
    await endMarked(String(process.pid), { deadlineMillis: DEADLINE_MILLIS });
  } finally {
    process.exit(EXIT.interrupted);
  }
}
