/** The printers and the conversation, held to the contract of frontends. */
import { PassThrough } from "node:stream";
import { describe, expect, test } from "vitest";
import { conversationFrontend } from "../src/conversation/frontend.ts";
import { Forms } from "../src/conversation/forms.ts";
import { LineTerminal } from "../src/conversation/line-terminal.ts";
import { jsonPrinter } from "../src/print/json.ts";
import { streamJsonPrinter } from "../src/print/stream-json.ts";
import { textPrinter } from "../src/print/text.ts";
import { keepsTheContract, type Subject } from "./frontend-contract.ts";

function paper(isTTY: boolean): {
  readonly stream: PassThrough & { readonly isTTY: boolean };
  readonly text: () => string;
} {
  const stream = Object.assign(new PassThrough(), { isTTY });
  let text = "";
  stream.setEncoding("utf8").on("data", (piece: string) => (text += piece));
  return { stream, text: () => text };
}

const headless = { present: false, streams: true, reader: "programs" } as const;

describe("text", () => {
  // Both streams into one, as a terminal shows them.
  const open = (): Subject => {
    const { stream, text } = paper(true);
    return { frontend: textPrinter(stream, stream), output: text };
  };
  keepsTheContract("text", open, { ...headless, reader: "people" });

  test("[X3] a pipe gets the answer byte for byte, a terminal without what it would obey", () => {
    const answer = "sk-fixture0123456789 \u001b[31mred\u001b[0m";
    const written = [true, false].map((isTTY) => {
      const { stream, text } = paper(isTTY);
      textPrinter(stream, paper(true).stream).emit({ kind: "text", text: answer });
      return text();
    });
    expect(written).toEqual(["sk-fixture0123456789 red", answer]);
  });
});

describe("json", () => {
  keepsTheContract(
    "json",
    () => {
      const { stream, text } = paper(false);
      return { frontend: jsonPrinter(stream, { sessionId: () => "s1", rulings: () => [] }), output: text };
    },
    { ...headless, streams: false },
  );
});

describe("stream-json", () => {
  keepsTheContract(
    "stream-json",
    () => {
      const { stream, text } = paper(false);
      return { frontend: streamJsonPrinter(stream), output: text };
    },
    headless,
  );
});

describe("the conversation", () => {
  keepsTheContract(
    "the conversation",
    () => {
      const { stream, text } = paper(true);
      const input = new PassThrough();
      // Nobody types: the input is at its end.
      input.end();
      return { frontend: conversationFrontend(new LineTerminal(input, stream), new Forms()), output: text };
    },
    { present: true, streams: true, reader: "people" },
  );
});
