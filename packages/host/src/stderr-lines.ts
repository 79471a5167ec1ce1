/** Cuts what a sidecar writes to stderr into lines, for whoever follows along. */
import { StringDecoder } from "node:string_decoder";

/** A line that is longer is given in pieces, so that an endless one costs no memory. In characters. */
const LONGEST = 4_096;

/** Takes pieces as they come and gives whole lines without their ends; blank ones are left out. */
export function stderrLines(line: (text: string) => void): (piece: Buffer) => void {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return (piece) => {
    const lines = (rest + decoder.write(piece)).split(/\r?\n/);
    rest = lines.pop() ?? "";
    while (rest.length > LONGEST) {
      lines.push(rest.slice(0, LONGEST));
      rest = rest.slice(LONGEST);
    }
    for (const text of lines) if (text.trim() !== "") line(text);
  };
}
