/** UTF-8 as a value: the portable form here, a faster one beside Node's streams. */

export interface TextCodec {
  /** The text of `bytes[start..end)`, or undefined if that is not well-formed UTF-8. A byte order mark is kept. */
  decode(bytes: Uint8Array, start: number, end: number): string | undefined;
  /** Length of `text` in UTF-8. */
  byteLength(text: string): number;
  /** A buffer of `size` bytes that `decode` reads fast; its content is arbitrary. */
  allocate(size: number): Uint8Array;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

export const portableCodec: TextCodec = {
  decode: (bytes, start, end) => {
    try {
      return decoder.decode(bytes.subarray(start, end));
    } catch {
      return undefined;
    }
  },
  byteLength: (text) => encoder.encode(text).length,
  allocate: (size) => new Uint8Array(size),
};
