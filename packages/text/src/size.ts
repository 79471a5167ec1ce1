/** Writes sizes and durations the way a person reads them. */

const SIZE_UNITS = ["KiB", "MiB", "GiB", "TiB"] as const;

/** `512 bytes`, `64 KiB`, `8.5 MiB`: powers of 1,024, one decimal place unless it is zero. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  let value = bytes;
  let unit = "";
  for (const next of SIZE_UNITS) {
    value /= 1_024;
    unit = next;
    // 1,023.95 would be written as 1024.0: it belongs to the next unit.
    if (value < 1_023.95) break;
  }
  return `${value.toFixed(1).replace(/\.0$/, "")} ${unit}`;
}

/** `0.4 ms`, `37 ms`, `5.2 s`, `2 min 5 s`. */
export function formatMillis(millis: number): string {
  if (millis < 9.95) return `${millis.toFixed(1).replace(/\.0$/, "")} ms`;
  if (millis < 999.5) return `${Math.round(millis)} ms`;
  if (millis < 59_950) return `${(millis / 1_000).toFixed(1).replace(/\.0$/, "")} s`;
  const seconds = Math.round(millis / 1_000);
  return seconds % 60 === 0 ? `${seconds / 60} min` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
