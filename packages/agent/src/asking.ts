/** A person who is asked only after everything that was said before has reached the frontend. */
import type { Events } from "./events.ts";
import type { Person } from "./ports.ts";

/** While the person thinks, the status says that the agent waits. */
export function askingInOrder(person: Person, events: Events): Person {
  const waiting = async <T>(ask: () => Promise<T>): Promise<T> => {
    await events.drain();
    events.emit({ kind: "turn_status", status: "waiting" });
    try {
      return await ask();
    } finally {
      events.emit({ kind: "turn_status", status: "working" });
    }
  };
  return {
    // Whether somebody is there can change while a session lives.
    get present() {
      return person.present;
    },
    ask: (request, options) => waiting(() => person.ask(request, options)),
    askPermission: (request, options) => waiting(() => person.askPermission(request, options)),
  };
}
