/** Images of a message, for models that see and models that do not. */

/** What a model without vision reads in place of images; empty when there are none. */
export function imageNote(images: readonly string[] = []): string {
  if (images.length === 0) return "";
  const what = images.length === 1 ? "1 image" : `${images.length} images`;
  return `\n[${what} left out: this model takes no images]`;
}

/** The parts of a `data:` URL in base64, or null for an address. */
export function base64Image(url: string): { readonly mediaType: string; readonly data: string } | null {
  const match = /^data:([^;,]+);base64,/.exec(url);
  return match === null ? null : { mediaType: match[1] ?? "", data: url.slice(match[0].length) };
}
