/** Serves two tools. Their descriptions and schemas are the manifest's, so that a host knows them before it starts this. */
import { defineExtension, type Extension } from "@reasonix-ts/sdk";
import { fetchTitle } from "./fetch-title.ts";
import { countWords } from "./word-count.ts";

/** `hosts`: what `fetch_title` may reach, as in an address: `example.com`, `127.0.0.1:8080`. */
export function webTools(hosts: readonly string[]): Extension {
  return defineExtension({
    name: "web-tools",
    version: "0.1.0",
    tools: {
      word_count: ({ text }) => `${countWords(String(text))} words`,
      // An answer with isError tells the model that this did not work, and why; a thrown error does the same.
      fetch_title: ({ url }, { signal }) => fetchTitle(String(url), { hosts, signal }),
    },
  });
}
