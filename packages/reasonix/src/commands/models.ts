/** `reasonix models`: what can be used, with context windows and prices. */
import type { ProviderDescriptor } from "@reasonix-ts/protocol";
import { stripControls } from "@reasonix-ts/text";
import type { Parsed } from "../args.ts";
import { prepare } from "../compose.ts";
import { textPrinter } from "../print/text.ts";
import { refusalText } from "../session-runtime.ts";
import { EXIT, type World } from "../world.ts";
import { jsonText } from "../json-text.ts";

export async function models(parsed: Parsed, world: World): Promise<number> {
  const frontend = textPrinter(world.stdout, world.stderr);
  const { providers, settings, extensions, failures } = await prepare({ world, parsed, command: "models", frontend });
  const lease = extensions.port?.lease() ?? null;
  try {
    const all = providers.models.list(lease);
    const chosen = settings.defaultModel ?? providers.defaultRef;
    world.stdout.write(
      parsed.flag("json")
        ? `${jsonText({ default: chosen, models: all }, 2)}\n`
        : modelLines(all, chosen)
            .map((line) => `${stripControls(line)}\n`)
            .join(""),
    );
    for (const problem of providers.problems) world.stderr.write(`reasonix: ${stripControls(problem)}\n`);
    if (failures.length > 0) world.stderr.write(`reasonix: ${refusalText(failures)}\n`);
    return failures.length > 0 ? EXIT.failed : EXIT.done;
  } finally {
    lease?.release();
    await extensions.stop();
  }
}

export function modelLines(all: readonly ProviderDescriptor[], chosen: string): readonly string[] {
  const width = Math.max(...all.map((model) => model.ref.length));
  const lines = all.map((model) => {
    const facts = [windowText(model), priceText(model), ...abilities(model)].filter((fact) => fact !== "");
    return `${model.ref === chosen ? "*" : " "} ${model.ref.padEnd(width)}  ${facts.join(", ")}`.trimEnd();
  });
  return all.some((model) => model.ref === chosen) ? lines : [...lines, `* ${chosen}  is not available`];
}

function windowText({ contextWindow }: ProviderDescriptor): string {
  if (contextWindow === undefined || contextWindow === 0) return "";
  return contextWindow >= 1000 ? `${Math.round(contextWindow / 1000)}k tokens` : `${contextWindow} tokens`;
}

function priceText({ inputPerMillion, outputPerMillion, pricingCurrency }: ProviderDescriptor): string {
  if (inputPerMillion === undefined && outputPerMillion === undefined) return "";
  if (inputPerMillion === 0 && outputPerMillion === 0) return "free";
  const currency = pricingCurrency === undefined ? "" : ` ${pricingCurrency}`;
  return `${inputPerMillion ?? "?"} in / ${outputPerMillion ?? "?"} out per million${currency}`;
}

function abilities({ vision, reasoning }: ProviderDescriptor): string[] {
  return [...(vision === true ? ["vision"] : []), ...(reasoning === true ? ["reasoning"] : [])];
}
