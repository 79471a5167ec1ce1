/** The version that `--version`, handshakes and reports tell. */
import manifest from "../package.json" with { type: "json" };

export const version: string = manifest.version;
