/**
 * A byte source over HTTP range requests.
 *
 * @module
 */

import { BytesSource } from "../source/bytes.ts";
import { HttpLink, type HttpOptions, parseUrl } from "./link.ts";
import type { Pins } from "./headers.ts";
import { type ByteSource, checkRead, closedError, type HttpSpec } from "../source/source.ts";

/**
 * Opens `url` by requesting its first byte; the answer gives its size and version and shows whether the server can
 * send parts. If it cannot, a file of up to `wholeLimit` bytes is read into memory.
 */
export async function openHttp(
  url: URL | string,
  options: HttpOptions = {},
  signal?: AbortSignal,
): Promise<ByteSource> {
  const link = new HttpLink(parseUrl(url), options);
  const found = await link.probe(signal);
  return found instanceof Uint8Array ? new BytesSource(found, link.name) : new HttpSource(link, found);
}

/** The source that `spec` describes. No request is made yet, as every read checks the version. */
export function reopenHttp(spec: HttpSpec, options: HttpOptions = {}): ByteSource {
  const headers = { ...spec.headers, ...options.headers };
  const retry = { ...spec.retry, ...options.retry };
  return new HttpSource(
    new HttpLink(parseUrl(spec.url), { ...spec.timeouts, ...options, headers, retry }),
    spec,
  );
}

class HttpSource implements ByteSource {
  readonly name: string;
  readonly size: number;
  #closed = false;

  constructor(private readonly link: HttpLink, private readonly pins: Pins) {
    this.name = link.name;
    this.size = pins.size;
  }

  async readInto(into: Uint8Array, at: number, signal?: AbortSignal): Promise<void> {
    if (this.#closed) throw closedError(this.name);
    checkRead(this, into.byteLength, at, signal);
    if (into.byteLength > 0) await this.link.read(into, at, this.pins, signal);
  }

  async verify(signal?: AbortSignal): Promise<void> {
    if (this.#closed) throw closedError(this.name);
    const found = await this.link.probe(signal);
    this.link.checkVersion(this.pins, found instanceof Uint8Array ? { size: found.byteLength } : found);
  }

  describe(): HttpSpec {
    const { size, etag, lastModified } = this.pins;
    const version = { ...(etag ? { etag } : {}), ...(lastModified ? { lastModified } : {}) };
    const { url, own: headers } = this.link;
    return { kind: "http", url: url.href, headers, size, ...version, ...this.link.limits };
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    return Promise.resolve();
  }
}
