/**
 * The files of a Zarr store that appears when it is complete.
 *
 * @module
 */

import { writerAt } from "../../../io/write/part_file.ts";
import { PartialFolder } from "../../../io/write/partial_folder.ts";
import { mustBeStore } from "../../../sinks/zarr/replaced.ts";
import { anyDigest } from "./resume.ts";

/** Files below a folder that replaces an older store, or none of them. */
export class StoreFiles {
  readonly #files: string[] = [];
  readonly #folders = new Set<string>();

  private constructor(private readonly path: string, private readonly partial: PartialFolder) {}

  /** Refuses a folder at `path` that is no Zarr store, and makes a new one beside it. */
  static async open(path: string): Promise<StoreFiles> {
    await mustBeStore(path);
    return new StoreFiles(
      path,
      await PartialFolder.open(path, { digest: anyDigest(), resume: false, kind: "folder" }),
    );
  }

  /** Writes a file, by its path in the store. */
  async write(file: string, content: Uint8Array | string): Promise<void> {
    const path = `${this.partial.result}/${file}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!this.#folders.has(folder)) await this.partial.makeFolder(folder);
    this.#folders.add(folder);
    await this.partial.makeFile(path);
    this.#files.push(path);
    const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
    (await writerAt(path, this.path))(bytes, 0);
  }

  /** Gives the store its name if it is `complete`, otherwise removes it. */
  async end(complete: boolean): Promise<void> {
    try {
      if (complete) await this.partial.finish(this.#files);
    } finally {
      await this.partial[Symbol.asyncDispose]();
    }
  }
}
