/**
 * The token that a browser must show: made, kept in a file, compared, and refusals that get slow.
 *
 * @module
 */

import { Buffer } from "node:buffer";
import { chmod, readFile, stat, writeFile } from "node:fs/promises";
import { timingSafeEqual } from "node:crypto";
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
  constructor(private readonly pause: (milliseconds: number) => Promise<void> = sleep) {}

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

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
