/** Private files of a page as the specification describes them, in memory: locks are exclusive, names and errors as there. */

import type { AccessHandle, FileHandle, FolderHandle } from "../../../src/channels/backends/opfs.ts";

type Entry = FakeFile | FakeFolder;

class FakeFile implements FileHandle {
  readonly kind = "file";
  bytes = new Uint8Array(0);
  locked = false;

  createSyncAccessHandle(): Promise<AccessHandle> {
    if (this.locked) throw new DOMException("locked", "NoModificationAllowedError");
    this.locked = true;
    return Promise.resolve(handleOf(this));
  }

  getFile(): Promise<{ size: number; lastModified: number }> {
    return Promise.resolve({ size: this.bytes.length, lastModified: 1 });
  }
}

function handleOf(file: FakeFile): AccessHandle {
  const truncate = (bytes: number) => {
    const grown = new Uint8Array(bytes);
    grown.set(file.bytes.subarray(0, bytes));
    file.bytes = grown;
  };
  return {
    read(into, { at }) {
      const part = file.bytes.subarray(at, at + into.length);
      into.set(part);
      return part.length;
    },
    write(from, { at }) {
      if (from.length === 0) return 0;
      if (at + from.length > file.bytes.length) truncate(at + from.length);
      file.bytes.set(from, at);
      return from.length;
    },
    getSize: () => file.bytes.length,
    truncate,
    flush: () => {},
    close: () => void (file.locked = false),
  };
}

class FakeFolder implements FolderHandle {
  readonly kind = "directory";
  readonly entries = new Map<string, Entry>();

  async getFileHandle(name: string, { create } = { create: false }): Promise<FileHandle> {
    const found = await this.#entry(name, create ? () => new FakeFile() : undefined);
    if (found instanceof FakeFile) return found;
    throw new DOMException("a directory", "TypeMismatchError");
  }

  async getDirectoryHandle(name: string, { create } = { create: false }): Promise<FolderHandle> {
    const found = await this.#entry(name, create ? () => new FakeFolder() : undefined);
    if (found instanceof FakeFolder) return found;
    throw new DOMException("a file", "TypeMismatchError");
  }

  async removeEntry(name: string): Promise<void> {
    const found = await this.#entry(name, undefined);
    if (found instanceof FakeFolder ? found.entries.size > 0 : false) {
      throw new DOMException("not empty", "InvalidModificationError");
    }
    if (found instanceof FakeFile && found.locked) {
      throw new DOMException("locked", "NoModificationAllowedError");
    }
    this.entries.delete(name);
  }

  async *keys(): AsyncGenerator<string> {
    yield* [...this.entries.keys()].reverse();
    await Promise.resolve();
  }

  #entry(name: string, make: (() => Entry) | undefined): Promise<Entry> {
    if (name === "" || name === "." || name === ".." || name.includes("/")) throw new TypeError("bad name");
    const found = this.entries.get(name);
    if (found) return Promise.resolve(found);
    if (!make) throw new DOMException("missing", "NotFoundError");
    const made = make();
    this.entries.set(name, made);
    return Promise.resolve(made);
  }
}

/** An empty root. */
export function fakeOpfs(): FolderHandle {
  return new FakeFolder();
}
