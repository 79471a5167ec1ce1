#!/usr/bin/env node
/** Adds a field to its declaration that the contract does not have. */
import { declaration, play } from "./honest.mjs";

play({ initialize: ({ id }, wire) => wire.answer(id, declaration({ capabilities: ["interceptors"] })) });
