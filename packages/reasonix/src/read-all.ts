/** Reads a stream to its end as UTF-8. */
import type { Input } from "./world.ts";

export async function readAll(input: Input): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of input) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces).toString("utf8");
}
