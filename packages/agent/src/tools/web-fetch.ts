/** web_fetch: a page of the public web, as Markdown. */
import { nonEmpty, object } from "@reasonix-ts/protocol";
import { defineTool, done, refused, type ToolOutput } from "./tool.ts";

const REDIRECTS = 5;
/** HTML above this is not turned into Markdown: that would take longer than the page is worth. */
const HTML_CHARACTERS = 1_500_000;

export const webFetchTool = defineTool({
  name: "web_fetch",
  description:
    "Fetch a web page or document over http or https; HTML comes back as Markdown. Private addresses are refused.",
  arguments: object({ url: nonEmpty }),
  notes: { url: "The whole address, with http:// or https://." },
  readOnly: true,
  subject: (args) => ({ kind: "fetch", url: args.url }),
  async run(args, { services, signal }) {
    if (!URL.canParse(args.url)) return refused(`${JSON.stringify(args.url)} is no address; write it with https://.`);
    const { fetchPage } = await import("./fetch-page.ts");
    let url = new URL(args.url);
    for (let hops = 0; ; hops++) {
      const problem = unfit(url);
      if (problem !== null) return refused(problem);
      const fetched = await fetchPage(url, services.fetchAllow, signal);
      if (fetched.kind === "failed") return refused(`Cannot fetch ${url.href}: ${fetched.problem}.`);
      if (fetched.kind === "page") return await readable(url, fetched.status, fetched.type, fetched.body);
      // Another host is another permission: the model asks for it by name.
      if (fetched.to.hostname !== url.hostname) {
        return refused(`${url.href} redirects to ${fetched.to.href}. To follow it, call web_fetch with that address.`);
      }
      if (hops >= REDIRECTS) return refused(`Cannot fetch ${args.url}: it redirects more than ${REDIRECTS} times.`);
      url = fetched.to;
    }
  },
});

function unfit(url: URL): string | null {
  if (url.protocol !== "http:" && url.protocol !== "https:") return `${url.protocol}// addresses are not fetched.`;
  return url.username === "" && url.password === "" ? null : "An address with a user name or password is not fetched.";
}

async function readable(url: URL, status: number, type: string, body: Buffer): Promise<ToolOutput> {
  const kind = (type.split(";", 1)[0] ?? "").trim().toLowerCase();
  const isText =
    /^text\/|[/+](?:json|xml|yaml|javascript|x-sh|markdown)$/.test(kind) || (kind === "" && !body.includes(0));
  if (!isText) return refused(`${url.href} is ${kind === "" ? "binary" : kind}, which cannot be read as text.`);
  const text = new TextDecoder(charsetOf(type)).decode(body);
  const page = kind === "text/html" && text.length <= HTML_CHARACTERS ? await markdown(text) : text;
  if (status < 400) return done(page === "" ? "(the page is empty)" : page);
  return refused(`${url.href} answered with status ${status}.\n${page.slice(0, 2_000)}`);
}

function charsetOf(type: string): string {
  const named = /charset="?([\w-]+)/i.exec(type)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(named).encoding;
  } catch {
    // A name that nobody knows: most of the web is UTF-8.
    return "utf-8";
  }
}

async function markdown(html: string): Promise<string> {
  const { default: TurndownService } = await import("turndown");
  const service = new TurndownService({ headingStyle: "atx", codeBlockStyle: "fenced" });
  service.remove(["script", "style", "noscript", "iframe"]);
  return service.turndown(html).trim();
}
