/** `<home>/audit.jsonl`: every time an extension allowed what the host had denied; 0600, rotated, safe among processes. */
import { rename, stat } from "node:fs/promises";
import { openAppend, withLock } from "@reasonix-ts/files";
import type { AuditEntry } from "@reasonix-ts/host";

/** Above this size the log becomes `audit.1.jsonl`, and the one before that is gone. */
const ROTATE_AT_BYTES = 5 * 1024 * 1024;

/** Settles when the entry is on the disk: an override that cannot be recorded does not happen. */
export async function appendAudit(file: string, entry: AuditEntry): Promise<void> {
  await withLock(file, async () => {
    const size = await stat(file).then(
      (found) => found.size,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return 0;
        throw error;
      },
    );
    if (size > ROTATE_AT_BYTES) await rename(file, file.replace(/\.jsonl$/, ".1.jsonl"));
    const log = await openAppend(file, { mode: 0o600, flush: "each" });
    try {
      await log.append(entry);
    } finally {
      await log.close();
    }
  });
}
