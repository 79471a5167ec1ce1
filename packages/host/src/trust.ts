/** The right to start processes: minted once by the app from its own trust record, asked for by the host. */

class Permission {
  readonly #grounds: string;

  constructor(grounds: string) {
    this.#grounds = grounds;
  }

  /** Why processes may start, in words, for diagnostics. */
  get grounds(): string {
    return this.#grounds;
  }

  static isGenuine(value: unknown): value is Permission {
    return typeof value === "object" && value !== null && #grounds in value;
  }
}

/** An opaque token without which the host starts no process. Only `mintStartPermission` makes one. */
export type StartPermission = Permission;

/**
 * To be called in one place of the app, which is then the one place to review.
 * `grounds` says on whose word: `plugins enabled in /home/me/.reasonix/plugin-packages.json`.
 */
export function mintStartPermission(grounds: string): StartPermission {
  return new Permission(grounds);
}

/** True for what `mintStartPermission` made, false for anything that merely looks like it. */
export function isStartPermission(value: unknown): value is StartPermission {
  return Permission.isGenuine(value);
}
