/**
 * A part store in a folder of a file system that all workers share.
 *
 * ```
 * commit   write .name.….part → sync it → link it to name (fails if there is one) → remove .name.….part → sync the folder
 * ```
 * A process that dies at any point leaves the old state or the new one, and at most a hidden file that a later write
 * removes ({@link PartFile}). A link that fails because the name is taken leads to a comparison of the bytes.
 *
 * @module
 */

import { dirname, join, resolve } from "node:path";
import { mkdir, readdir, readFile, stat } from "node:fs/promises";
import { cannot, TilewiseError } from "../../errors.ts";
import { sha256, sha256Of } from "../../io/hash.ts";
import { deniedError, isDenied } from "../../io/source/permission.ts";
import { writeError } from "../../io/write/calls.ts";
import { PartFile } from "../../io/write/part_file.ts";
import { checkName, notEqual } from "./node.ts";
import type { Committed, PartStore } from "./store.ts";

/** The store in the folder that `url` names, with or without `dir:`; the folder is made with the first write. */
export function dirStore(url: string): Promise<PartStore> {
  const path = url.replace(/^dir:(\/\/(?=\/))?/, "");
  if (path !== "") return Promise.resolve(new DirStore(`dir:${resolve(path)}`, resolve(path)));
  const text = `"${url}" names no folder; write dir:FOLDER`;
  return Promise.reject(new TilewiseError("invalid", text, { option: "store", found: url }));
}

class DirStore implements PartStore {
  readonly #made = new Map<string, Promise<void>>();

  constructor(readonly url: string, private readonly folder: string) {}

  async has(name: string): Promise<boolean> {
    return await reading(this.#path(name), async (path) => {
      const facts = await stat(path);
      if (facts.isDirectory()) throw inPlace(path);
      return facts.isFile();
    }) ?? false;
  }

  async get(name: string): Promise<Uint8Array<ArrayBuffer> | undefined> {
    return await reading(this.#path(name), async (path) => new Uint8Array(await readFile(path)));
  }

  async commit(name: string, pieces: readonly Uint8Array[]): Promise<Committed> {
    checkName(name);
    const path = this.#path(name);
    await this.#folderOf(path);
    await using part = await PartFile.at(path);
    await part.fill(pieces);
    if (await part.finishNew()) return "new";
    await this.#mustBeSame(name, pieces);
    return "same";
  }

  async list(prefix: string): Promise<string[]> {
    const folder = join(this.folder, dirname(`${prefix}x`));
    const inner = dirname(`${prefix}x`) === "." ? "" : `${dirname(`${prefix}x`)}/`;
    const names = await reading(folder, (path) => readdir(path)) ?? [];
    return names.filter((name) => !name.startsWith(".")).map((name) => inner + name)
      .filter((name) => name.startsWith(prefix));
  }

  async #mustBeSame(name: string, pieces: readonly Uint8Array[]): Promise<void> {
    const there = await this.get(name);
    const given = await sha256Of(pieces);
    const found = there ? await sha256(there) : "nothing";
    if (found !== given) throw notEqual(this.url, name, given, found);
  }

  #path(name: string): string {
    checkName(name);
    return join(this.folder, name);
  }

  /** Makes the folder of a file, once. */
  #folderOf(path: string): Promise<void> {
    const folder = dirname(path);
    const made = this.#made.get(folder) ?? makeFolder(folder);
    this.#made.set(folder, made);
    made.catch(() => this.#made.delete(folder)); // a later commit tries again
    return made;
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw writeError(folder, error);
  }
}

/** The result of a read; `undefined` if there is nothing of that name. */
async function reading<T>(path: string, read: (path: string) => Promise<T>): Promise<T | undefined> {
  try {
    return await read(path);
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string };
    if (code === "ENOENT") return undefined;
    if (error instanceof TilewiseError) throw error;
    if (code === "EISDIR") throw inPlace(path);
    if (isDenied(error)) throw deniedError(`Cannot read ${path}`, error, { file: path });
    const kind = code === "EACCES" || code === "EPERM" ? "permission" : "io";
    throw cannot("read", path, kind, String(message), {}, { cause: error });
  }
}

function inPlace(path: string): TilewiseError {
  const text = "a folder lies in the place of a file of the store; remove it";
  return cannot("use", path, "not-a-file", text, { expected: "a file", found: "a folder" });
}
