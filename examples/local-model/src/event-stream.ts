/** Reads server-sent events: the text after `data:`, one event at a time. */

/** Ends with the stream, and ends the stream when its reader stops early. */
export async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${text}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const data = dataIn(line);
      if (data !== null) yield data;
    }
  }
  const last = dataIn(rest);
  if (last !== null) yield last;
}

/** Chat completions put each event on one line; blank lines, comments and names of events carry nothing. */
function dataIn(line: string): string | null {
  return line.startsWith("data:") ? line.slice("data:".length).trim() : null;
}
