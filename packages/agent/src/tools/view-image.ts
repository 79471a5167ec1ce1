/** view_image: a picture file, for models that see. */
import { nonEmpty, object } from "@reasonix-ts/protocol";
import { formatBytes } from "@reasonix-ts/text";
import { fileProblem, resolveIn } from "./paths.ts";
import { readRegular, type RegularFile } from "./regular-file.ts";
import { defineTool, refused } from "./tool.ts";

const IMAGE_BYTES = 5 * 1_048_576;

export const viewImageTool = defineTool({
  name: "view_image",
  description: "Look at a picture file (PNG, JPEG, GIF, WebP).",
  arguments: object({ path: nonEmpty }),
  notes: { path: "Path of the file, relative to the workspace or absolute." },
  readOnly: true,
  subject: (args) => ({ kind: "read", paths: [args.path] }),
  async run({ path }, { services }) {
    let found: RegularFile;
    try {
      found = await readRegular(resolveIn(services.workspaceRoot, path), IMAGE_BYTES);
    } catch (error) {
      return refused(fileProblem(error, "Cannot read", path));
    }
    if (found.kind === "special") return refused(`${path} is no regular file.`);
    if (found.kind === "too_large") {
      return refused(`${path} has ${formatBytes(found.size)}; pictures may have at most ${formatBytes(IMAGE_BYTES)}.`);
    }
    const { bytes } = found;
    const type = imageType(bytes);
    if (type === null) return refused(`${path} is no PNG, JPEG, GIF or WebP picture.`);
    return {
      text: `${path}: ${type}, ${formatBytes(bytes.length)}`,
      isError: false,
      images: [`data:${type};base64,${bytes.toString("base64")}`],
    };
  },
});

/** By the first bytes: a name's ending proves nothing. */
function imageType(bytes: Buffer): string | null {
  if (bytes.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))) return "image/png";
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return "image/jpeg";
  const head = bytes.subarray(0, 12).toString("latin1");
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  return /^RIFF.{4}WEBP/s.test(head) ? "image/webp" : null;
}
