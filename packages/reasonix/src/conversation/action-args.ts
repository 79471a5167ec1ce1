/** The arguments of an action as they are typed; pure. */

/** `k=v word "two words"` becomes `{k: "v", arg1: "word", arg2: "two words"}`. */
export function actionArgs(typed: string): { readonly [name: string]: string } {
  const args: { [name: string]: string } = {};
  let count = 0;
  for (const [word] of typed.matchAll(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g)) {
    const named = /^([A-Za-z_][\w-]*)=(.*)$/s.exec(word);
    const value = (named?.[2] ?? word).replace(/"([^"]*)"|'([^']*)'/g, (_whole, double?: string, single?: string) => {
      return double ?? single ?? "";
    });
    args[named?.[1] ?? `arg${++count}`] = value;
  }
  return args;
}
