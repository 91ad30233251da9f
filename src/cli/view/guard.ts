/**
 * Who may ask the server: requests that name it by its own address, come from its own page, and show the token, which is made,
 * kept in a file and compared here.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { timingSafeEqual } from "node:crypto";
import { REAL_CLOCK } from "../../clock.ts";
import { TilewiseError } from "../../errors.ts";
import { codeOf, fileError } from "../../io/file/error.ts";
import { system } from "../shell/system.ts";

/** Random bytes of a token. */
const BYTES = 32;

/** A token: at least 256 bits, in characters that an address may have. */
const TOKEN = /^[\w-]{43,512}$/;

/** A new random token: 256 bits in 43 characters. */
export function newToken(): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(BYTES))).toString("base64url");
}

/** Whether two texts are the same; how long this takes says only whether their lengths are. */
export function isSameToken(given: string, wanted: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(wanted)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/**
 * The token in the file at `path`; a new one is written there if there is no such file. Errors: `permission` if others than
 * its owner may read it, `invalid` if it is not a token.
 */
export async function tokenFrom(path: string): Promise<string> {
  try {
    return await readToken(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw fileError(path, error);
  }
  const token = newToken();
  try {
    await writeFile(path, `${token}\n`, { flag: "wx", mode: 0o600 });
    if (hasModes()) await chmod(path, 0o600); // whatever the umask of this process
  } catch (error) {
    throw fileError(path, error);
  }
  return token;
}

async function readToken(path: string): Promise<string> {
  const { mode } = await stat(path);
  if (hasModes() && (mode & 0o077) !== 0) {
    const found = (mode & 0o777).toString(8).padStart(4, "0");
    const text =
      `Cannot use the token in ${path}: others may read it (mode ${found}); write: chmod 600 ${path}`;
    throw new TilewiseError("permission", text, { file: path, expected: "0600", found });
  }
  const token = (await readFile(path, "utf8")).trim();
  if (TOKEN.test(token)) return token;
  const text =
    `Cannot use the token in ${path}: it must have at least 43 letters, digits, - or _ on one line; ` +
    "remove the file, and a new one is made";
  throw new TilewiseError("invalid", text, { file: path, found: `${token.length} characters` });
}

/** Whether files here have permissions for owner, group and others. */
function hasModes(): boolean {
  return system.platform !== "windows";
}

/** Wrong tokens that are answered at once. */
const FREE = 10;

/** Milliseconds between answers to further ones. */
const DELAY = 1000;

/** Answers that may wait; further ones are refused without a look. */
const MOST_WAITING = 64;

/** Makes guessing slow: after ten wrong tokens, one per second is answered. Right tokens never wait. */
export class Refusals {
  #wrong = 0;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  /** Waits with `pause`, which tests replace. */
  constructor(private readonly pause: (milliseconds: number) => Promise<void> = REAL_CLOCK.sleep) {}

  /** Resolves when a wrong token may be answered; `false`: too many wait already. */
  async next(): Promise<boolean> {
    if (++this.#wrong <= FREE) return true;
    if (this.#waiting >= MOST_WAITING) return false;
    this.#waiting++;
    this.#last = this.#last.then(() => this.pause(DELAY));
    await this.#last;
    this.#waiting--;
    return true;
  }
}

/** Headers of a request, by lower-case names. */
export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A refusal: the status, and what to say. */
interface Refusal {
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
