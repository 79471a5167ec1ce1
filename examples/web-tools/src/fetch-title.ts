/** Fetches a page and finds its title. */
import type { ToolAnswer } from "@reasonix-ts/sdk";

export interface FetchOptions {
  readonly hosts: readonly string[];
  readonly signal: AbortSignal;
}

/** Titles stand at the beginning; of a longer page no more is read, in bytes. */
const MOST_BYTES = 256 * 1024;

/**
 * The model chooses the address, and what it has read may have talked it into one: only hosts that a person named are
 * asked, and redirects are told rather than followed.
 */
export async function fetchTitle(url: string, { hosts, signal }: FetchOptions): Promise<ToolAnswer> {
  if (!URL.canParse(url)) return failed(`${url} is no address; give it whole, such as https://example.com/`);
  const { protocol, host } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") return failed(`${url} is neither http nor https`);
  if (!hosts.includes(host))
    return failed(`${host} is not among the hosts that may be reached; a person can add it to WEB_TOOLS_HOSTS`);

  const response = await fetch(url, { redirect: "manual", signal });
  const target = response.headers.get("location");
  if (target !== null) return failed(`${url} leads on to ${target}`);
  if (!response.ok) return failed(`${url} answered ${response.status}`);
  const title = titleIn(await beginningOf(response));
  return title === null ? failed(`${url} has no title`) : title;
}

function failed(content: string): ToolAnswer {
  return { content, isError: true };
}

async function beginningOf({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    parts.push(part);
    bytes += part.length;
    if (bytes >= MOST_BYTES) break;
  }
  return Buffer.concat(parts).toString("utf8");
}

/** One line, or null where there is none. Entities stay as they are written. */
function titleIn(html: string): string | null {
  const title = /<title[^>]*>([^<]*)<\/title\s*>/i.exec(html)?.[1]?.replaceAll(/\s+/g, " ").trim();
  return title === undefined || title === "" ? null : title;
}
