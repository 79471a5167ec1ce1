/** The text of a `config.toml` for a trial. */

/** One model, `scripted/scripted`, on a scripted server that listens at `url`. */
export function scriptedModel(url: string, options: { readonly contextWindow?: number } = {}): string {
  return `default_model = "scripted/scripted"

[[providers]]
name = "scripted"
kind = "openai"
base_url = "${url}/v1"
models = ["scripted"]
context_window = ${options.contextWindow ?? 64_000}
`;
}
