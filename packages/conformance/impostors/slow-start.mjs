#!/usr/bin/env node
/** Answers the handshake after --delay milliseconds. */
import { declaration, option, play } from "./honest.mjs";

const delay = Number(option("delay", "2000"));
play({ initialize: ({ id }, wire) => void setTimeout(() => wire.answer(id, declaration()), delay) });
