/**
 * Who may ask the server: requests that name it by its own address, come from its own page, and show the token.
 *
 * @module
 */

import { isSameToken, newToken, Refusals } from "./token.ts";

/** Headers of a request, by lower-case names. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A refusal: the status, and what to say. */
export interface Refusal {
  /** Of the answer. */
  readonly status: number;
  /** One line. */
  readonly text: string;
}

/** Where a server listens. */
export interface ServerAddress {
  /** The address that it is bound to. */
  readonly address: string;
  /** What the user called it; absent: only by its address. */
  readonly name?: string;
  /** Its port. */
  readonly port: number;
}

/** Names of this machine for programs on it. */
const LOOPBACK = ["127.0.0.1", "localhost", "::1"];

/**
 * Whether an address is one of this machine for itself.
 *
 * @example
 * ```ts
 * import { assertEquals } from "@std/assert";
 * assertEquals(["127.0.0.1", "::1", "127.3.2.1", "localhost", "0.0.0.0"].map(isLoopback), [true, true, true, true, false]);
 * ```
 */
export function isLoopback(address: string): boolean {
  return LOOPBACK.includes(address) || /^127(\.\d{1,3}){3}$/.test(address);
}

/** An address as it stands in a URL. */
export function inUrl(address: string): string {
  return address.includes(":") ? `[${address}]` : address;
}

/**
 * Whether `host`, of a request, is this server. Other names may lead here as well, as a page elsewhere can make its own name
 * mean this machine and then ask it (DNS rebinding); no page can do this with an address in numbers.
 */
export function isOwnHost(host: string | undefined, { address, name, port }: ServerAddress): boolean {
  const match = /^(\[[\da-f:.]+\]|[^:[\]]+)(?::(\d{1,5}))?$/i.exec(host ?? "");
  if (!match || Number(match[2] ?? 80) !== port) return false;
  const asked = match[1]!.toLowerCase().replace(/^\[|\]$/g, "");
  if (asked === name?.toLowerCase() || asked === address) return true;
  if (isLoopback(address)) return LOOPBACK.includes(asked);
  return isEverywhere(address) && isNumbers(asked);
}

/** Whether a server at this address listens at all addresses of its machine. */
function isEverywhere(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}

function isNumbers(host: string): boolean {
  return /^\d{1,3}(\.\d{1,3}){3}$/.test(host) || host.includes(":");
}

/** Whether the page that asks, if a browser names one, is that of this server. */
export function isOwnOrigin(headers: RequestHeaders, place: ServerAddress): boolean {
  const { origin, "sec-fetch-site": site } = headers;
  if (typeof site === "string" && site !== "same-origin" && site !== "none") return false;
  if (origin === undefined) return true;
  if (typeof origin !== "string" || !origin.startsWith("http://")) return false;
  return isOwnHost(origin.slice("http://".length), place);
}

/** Checks tokens. */
export class Keeper {
  /** The name of its cookie; cookies of a host are sent to all of its ports. */
  readonly cookie: string;
  /** What the cookie has: not the token, so that whoever sees the cookie cannot open the page elsewhere. */
  readonly #session = newToken();

  /** Checks `token`, of the server at `port`. */
  constructor(
    private readonly token: string,
    port: number,
    private readonly refusals: Refusals = new Refusals(),
  ) {
    this.cookie = `tilewise-${port}`;
  }

  /** The header that gives a browser the cookie. */
  get setCookie(): string {
    return `${this.cookie}=${this.#session}; Path=/data; HttpOnly; SameSite=Strict`;
  }

  /** Nothing for a request that shows the token or the cookie; else why not. */
  async refuse(headers: RequestHeaders): Promise<Refusal | undefined> {
    const shown = this.#shown(headers);
    if (shown.some(([given, wanted]) => isSameToken(given, wanted))) return undefined;
    if (shown.length === 0) return { status: 401, text: "Open the link that tilewise view has printed" };
    if (await this.refusals.next()) return { status: 403, text: "This is not the token of tilewise view" };
    return { status: 429, text: "Too many wrong tokens" };
  }

  /** Whether the request shows the token itself. */
  showsToken({ authorization }: RequestHeaders): boolean {
    return typeof authorization === "string" && isSameToken(bearer(authorization), this.token);
  }

  #shown({ authorization, cookie }: RequestHeaders): (readonly [given: string, wanted: string])[] {
    const start = `${this.cookie}=`;
    const cookies = String(cookie ?? "").split(/; */).filter((one) => one.startsWith(start));
    return [
      ...(typeof authorization === "string" && authorization !== ""
        ? [[bearer(authorization), this.token] as const]
        : []),
      ...cookies.map((one) => [one.slice(start.length), this.#session] as const),
    ];
  }
}

function bearer(authorization: string): string {
  return authorization.replace(/^Bearer +/i, "");
}
