/** Which addresses web_fetch may connect to: public ones, and private ones that the settings name. */
import { lookup as resolveName } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";

/** Null where an address may be reached, else what it is: `loopback`, `private`, … */
export function forbiddenRange(address: string): string | null {
  if (!ipaddr.isValid(address)) return "no address";
  // An IPv4 address inside an IPv6 one is judged as what it is.
  const parsed = ipaddr.process(address);
  const range = parsed.range();
  if (range === "unicast") return parsed instanceof ipaddr.IPv6 && !isGlobal(parsed) ? "outside of 2000::/3" : null;
  if (parsed instanceof ipaddr.IPv6 && (range === "rfc6052" || range === "6to4" || range === "teredo")) {
    return "an address that carries another one";
  }
  return range;
}

/** All public IPv6 lies in 2000::/3; what else looks like unicast, such as `::a9fe:a9fe`, may carry an IPv4 address. */
function isGlobal(address: ipaddr.IPv6): boolean {
  return ((address.parts[0] ?? 0) & 0xe000) === 0x2000;
}

/** Whether the settings name this very host and port, such as `127.0.0.1:8080` or `build.internal`. */
export function isNamed(url: URL, allowed: readonly string[]): boolean {
  const port = url.port === "" ? (url.protocol === "https:" ? "443" : "80") : url.port;
  return allowed.some((entry) => entry === url.hostname || entry === `${url.hostname}:${port}`);
}

/** The host itself where it is an address, without the brackets of IPv6. */
export function literalAddress(url: URL): string | null {
  const bare = url.hostname.replace(/^\[|\]$/g, "");
  return isIP(bare) === 0 ? null : bare;
}

/** Judges the very addresses that are connected to: a name cannot mean one thing when asked and another when used. */
export function guardedLookup(): LookupFunction {
  return (hostname, options, callback) => {
    resolveName(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      for (const { address } of addresses) {
        const range = forbiddenRange(address);
        if (range !== null) return callback(new Error(`${hostname} is ${address}, which is ${range}`), []);
      }
      const first = addresses[0];
      if (first === undefined) return callback(new Error(`${hostname} has no address`), []);
      return options.all === true ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}
