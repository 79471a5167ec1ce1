#!/usr/bin/env node
/** Declares what its manifest does not name: --what is the member, --value its JSON. */
import { declaration, option, play } from "./honest.mjs";

const member = option("what", "subscriptions");
const value = JSON.parse(option("value", '["permission.decision"]'));
play({ initialize: ({ id }, wire) => wire.answer(id, declaration({ [member]: value })) });
