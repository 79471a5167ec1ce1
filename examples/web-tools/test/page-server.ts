/** A web server on 127.0.0.1 with a few pages. */
import { once } from "node:events";
import { createServer } from "node:http";

export interface PageServer {
  /** With its port, as in an address. */
  readonly host: string;
  close(): Promise<void>;
}

const PAGES: { readonly [path: string]: string } = {
  "/": "<!doctype html><title lang=en>\n  Hello,\n  world </title><h1>x</h1>",
  "/long": `<title>Early</title>${"x".repeat(4_000_000)}`,
  "/bare": "<h1>no title</h1>",
};

export async function startPageServer(): Promise<PageServer> {
  const server = createServer((request, response) => {
    if (request.url === "/moved") return response.writeHead(302, { location: "http://169.254.169.254/" }).end();
    if (request.url === "/slow") return response.writeHead(200).flushHeaders();
    const page = PAGES[request.url ?? ""];
    return response.writeHead(page === undefined ? 404 : 200, { "content-type": "text/html" }).end(page);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server has no port");
  return {
    host: `127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
