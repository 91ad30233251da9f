/**
 * URLs with a common beginning as a store: the entry `a/b` of `http://host/store/` is at `http://host/store/a/b`.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { isTilewiseError } from "../../errors.ts";
import { openHttp } from "../http/http.ts";
import { HttpLink, type HttpOptions, parseUrl } from "../http/link.ts";
import { showUrl } from "../http/exchange.ts";
import { type Pins, pinsOf } from "../http/headers.ts";
import { type ByteSource, changedError } from "../source/source.ts";
import type { ChunkStore, Entry, Store, WebStoreSpec } from "./store.ts";

/** A key that no store has. */
const NO_KEY = ".no-such-entry-8f1c2d";

/** URLs as a store. */
export class WebStore implements Store, ChunkStore {
  /** The URL, without secrets. */
  readonly name: string;
  readonly #base: URL;
  readonly #options: HttpOptions;
  #since: number | undefined;
  #hides: Promise<boolean> | undefined;

  /** The store that `spec` describes; nothing is requested yet. */
  constructor(private readonly spec: WebStoreSpec, options: HttpOptions = {}) {
    this.#base = parseUrl(spec.url);
    this.#base.hash = "";
    if (!this.#base.pathname.endsWith("/")) this.#base.pathname += "/";
    this.name = showUrl(this.#base);
    this.#since = spec.since;
    this.#options = {
      ...spec.timeouts,
      ...options,
      headers: { ...spec.headers, ...options.headers },
      retry: { ...spec.retry, ...options.retry },
    };
  }

  /** All bytes of an entry. */
  async get(key: string, most: number, signal?: AbortSignal): Promise<Entry | undefined> {
    const link = this.#link(key);
    let pins: Pins = { size: 0 };
    const look = (headers: Headers) => {
      this.#note(link.name, headers);
      pins = pinsOf(headers, 0);
    };
    const bytes = await this.#unlessMissing(link.all(most, look, signal), signal);
    if (!bytes) return undefined;
    const source = { kind: "http", url: link.url.href, headers: link.own, ...link.limits, ...pins } as const;
    return { bytes, source: { ...source, size: bytes.length } };
  }

  /** Copies an entry to the start of `into`. */
  async fill(key: string, into: Uint8Array, signal?: AbortSignal): Promise<number> {
    const found = await this.get(key, into.length, signal);
    if (!found) return -1;
    into.set(found.bytes);
    return found.bytes.length;
  }

  /** An entry as a source of ranges. */
  async open(key: string, signal?: AbortSignal): Promise<ByteSource | undefined> {
    return await this.#unlessMissing(openHttp(this.#link(key).url, this.#options, signal), signal);
  }

  /** Whether the server has it. */
  async has(key: string, signal?: AbortSignal): Promise<boolean> {
    await using source = await this.open(key, signal);
    return source !== undefined;
  }

  /** Does nothing: every answer is checked when it comes. */
  recheck(): void {}

  /** How to open it again. */
  describe(): WebStoreSpec {
    const { timeouts, retry } = new HttpLink(this.#base, this.#options).limits;
    const { headers } = this.#options;
    return {
      kind: "web",
      url: this.#base.href,
      ...defined({ headers, timeouts, retry, since: this.#since }),
    };
  }

  /** Nothing stays open. */
  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  #link(key: string): HttpLink {
    const url = new URL(this.#base);
    url.pathname += key.split("/").map(encodeURIComponent).join("/");
    return new HttpLink(url, this.#options);
  }

  /** Notes the time of the first answer; checks that nothing has changed since then. */
  #note(name: string, headers: Headers): void {
    const [date, modified] = ["date", "last-modified"].map((header) => Date.parse(headers.get(header) ?? ""));
    if (this.#since === undefined && !Number.isNaN(date!)) this.#since = date!;
    if (this.spec.since === undefined || Number.isNaN(modified!) || modified! <= this.spec.since) return;
    const [then, now] = [this.spec.since, modified!].map((time) => new Date(time).toISOString());
    throw changedError(name, "time of change", `before ${then!}`, now!);
  }

  /** What was found; `undefined` where the answer says that there is nothing. Some servers answer 403 then. */
  async #unlessMissing<T>(finding: Promise<T>, signal?: AbortSignal): Promise<T | undefined> {
    try {
      return await finding;
    } catch (error) {
      if (isTilewiseError(error, "not-found")) return undefined;
      if (isTilewiseError(error, "permission") && error.details.found === 403) {
        if (await (this.#hides ??= this.#hidesMissing(signal))) return undefined;
      }
      throw error;
    }
  }

  /** Whether the server answers 403 for an entry that does not exist. */
  async #hidesMissing(signal?: AbortSignal): Promise<boolean> {
    try {
      await this.#link(NO_KEY).all(0, () => {}, signal);
      return false;
    } catch (error) {
      return isTilewiseError(error, "permission") && error.details.found === 403;
    }
  }
}
