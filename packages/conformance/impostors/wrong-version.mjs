#!/usr/bin/env node
/** Names another protocol version: --version as JSON, or none at all. */
import { declaration, option, play } from "./honest.mjs";

const version = option("version", null);
play({
  initialize({ id }, wire) {
    const { protocolVersion: _, ...rest } = declaration();
    wire.answer(id, version === null ? rest : { ...rest, protocolVersion: JSON.parse(version) });
  },
});
