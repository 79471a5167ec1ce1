/** From the first frame to the barrier. */
import { Finding, show } from "../finding.ts";
import type { Check } from "./check.ts";
import { judgeDeclaration, judgeExtent } from "./judge-handshake.ts";

const START = 30_000;
const HELD = 300;

export const handshakeChecks: readonly Check[] = [
  {
    id: "handshake.silence",
    title: "It writes nothing before it is spoken to",
    level: "must",
    cites: ["T1", "L1"],
    async run(arena) {
      const play = arena.start();
      await play.idle(HELD);
      if (play.heardBytes > 0 && play.faults.length === 0)
        throw play.finding({ what: "it wrote before extension/initialize came", wanted: "nothing on stdout" });
      await play.call("extension/initialize", play.initializeParams(), arena.within(START));
    },
  },
  {
    id: "handshake.declaration",
    title: "It answers extension/initialize with a declaration of the contract's shape",
    level: "must",
    cites: ["L3", "T5"],
    async run(arena) {
      const play = arena.start();
      const answer = await play.call("extension/initialize", play.initializeParams(), arena.within(START));
      const { name, version } = judgeDeclaration(answer);
      return `${name} ${version}`;
    },
  },
  {
    id: "handshake.within-manifest",
    title: "It declares nothing beyond its manifest",
    level: "must",
    cites: ["L3"],
    unless: ({ expectation }) => (expectation.plugin === null ? "no manifest was given" : null),
    run({ facts }) {
      const excess = judgeExtent(facts.declaration, facts.expectation);
      return excess === null ? Promise.resolve() : Promise.reject(excess);
    },
  },
  {
    id: "handshake.barrier",
    title: "It sends nothing between its declaration and extension/initialized",
    level: "must",
    cites: ["L4"],
    async run(arena) {
      const play = arena.start();
      await play.call("extension/initialize", play.initializeParams(), arena.within(START));
      await play.idle(HELD);
      play.openBarrier();
    },
  },
  {
    id: "handshake.newer-host",
    title: "It takes the handshake of a newer host, with fields that it does not know",
    level: "must",
    cites: ["T5"],
    async run(arena) {
      const play = arena.start();
      const known = play.initializeParams();
      const params = {
        ...known,
        future: { nested: true },
        session: { ...Object(known["session"]), future: 1 },
        capabilities: { ...Object(known["capabilities"]), future: ["x"] },
      };
      const id = play.send("extension/initialize", params, { _meta: { sessionId: "stored" }, future: null });
      judgeDeclaration(await play.answer(id, arena.within(START)));
    },
  },
  {
    id: "handshake.same-twice",
    title: "It declares the same at every start",
    level: "must",
    cites: ["L3", "R7"],
    async run(arena) {
      const play = arena.start();
      const answer = await play.call("extension/initialize", play.initializeParams(), arena.within(START));
      const again = judgeDeclaration(answer);
      const [first, second] = [show(arena.facts.declaration), show(again)];
      if (first !== second)
        throw new Finding({ what: "a second process declares other things", wanted: first, got: second });
    },
  },
];
