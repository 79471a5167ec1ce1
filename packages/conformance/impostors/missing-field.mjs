#!/usr/bin/env node
/** Leaves a field out of its declaration: --field. */
import { declaration, option, play } from "./honest.mjs";

const result = declaration();
delete result[option("field", "stateSchemaVersion")];
play({ initialize: ({ id }, wire) => wire.answer(id, result) });
