/**
 * What a server sends under one address: bytes of one version, from a file or from another server.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { type OpenFile, versionOf } from "./roots.ts";
import type { Version } from "./ranges.ts";

/** Bytes that can be sent. */
export interface Contents extends AsyncDisposable {
  /** Which version it is. */
  readonly version: Version;
  /** Its bytes from `start` up to `stop`; throws when they have changed meanwhile. */
  bytes(start: number, stop: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** What the server has of one source, or of a folder that is browsed. */
export interface Served {
  /** What the user called it, without its folder. */
  readonly name: string;
  /** Names of the files to open, the first is the source itself; a name with a slash at its end is that of a store. */
  readonly files: readonly string[];
  /** What is under a name; `undefined`: nothing. */
  contents(key: string, signal: AbortSignal): Promise<Contents | undefined>;
  /** The folder that is browsed; absent: it is a source. */
  readonly folder?: ServedFolder;
}

/** A folder that is browsed. */
export interface ServedFolder {
  /** A part of a folder, from that name on; of a source, the source alone; `undefined`: there is neither. */
  list(key: string, from: number): Promise<FolderPart | undefined>;
}

/** A part of what is in a folder. */
export interface FolderPart {
  /** Names of folders. */
  readonly folders: readonly string[];
  /** Sources. */
  readonly sources: readonly FolderSource[];
  /** How many names there are in all parts. */
  readonly total: number;
  /** Where the next part begins; absent: this is the last. */
  readonly next?: number;
}

/** A source in a folder. */
export interface FolderSource {
  /** Its path below the folder that is served: names between slashes. */
  readonly key: string;
  /** What is served of it: keys of its files are below its own. */
  readonly served: Served;
}

/** Bytes that are read at once. */
const BLOCK = 2 ** 19;

/** A file. */
export class FileContents implements Contents {
  /** Its version when it was opened. */
  readonly version: Version;

  /** The bytes of an open file. */
  constructor(private readonly file: OpenFile) {
    this.version = file.version;
  }

  /** Reads block by block; before the last one leaves, the file is looked at again. */
  async *bytes(start: number, stop: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for (let at = start; at < stop;) {
      signal.throwIfAborted();
      const block = new Uint8Array(Math.min(BLOCK, stop - at));
      const { bytesRead } = await this.file.handle.read(block, 0, block.length, at);
      at += bytesRead;
      if (bytesRead === 0 || (at === stop && await this.#hasChanged())) throw changed();
      yield block.subarray(0, bytesRead);
    }
  }

  /** Closes the file. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.file.handle.close();
  }

  async #hasChanged(): Promise<boolean> {
    return versionOf(await this.file.handle.stat({ bigint: true })).etag !== this.version.etag;
  }
}

/** A source on another server. */
export class SourceContents implements Contents {
  /** The version that its server told. */
  readonly version: Version;

  /** The bytes of `source`. */
  constructor(private readonly source: ByteSource) {
    const spec = source.describe();
    const { etag, lastModified } = spec.kind === "http" ? spec : {};
    const time = Date.parse(lastModified ?? "");
    this.version = {
      size: source.size,
      etag: `"${encodeURIComponent([source.size, etag, lastModified].join())}"`,
      modified: Number.isNaN(time) ? 0 : time,
    };
  }

  /** Reads block by block. */
  async *bytes(start: number, stop: number, signal: AbortSignal): AsyncGenerator<Uint8Array> {
    for (let at = start; at < stop; at += BLOCK) {
      const block = new Uint8Array(Math.min(BLOCK, stop - at));
      await this.source.readInto(block, at, signal);
      yield block;
    }
  }

  /** Ends it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.source[Symbol.asyncDispose]();
  }
}

function changed(): TilewiseError {
  return new TilewiseError("changed", "Cannot send a file: it has changed while it was read");
}
