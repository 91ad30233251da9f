/**
 * The folder in which the browser keeps results over reloads, if it does: private windows of some browsers have none.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.asynciterable" />

/** Files by name, that outlive the page. */
export interface KeptFolder {
  /** All files. */
  read(): Promise<readonly Uint8Array[]>;
  /** Writes a file, or replaces it. */
  write(name: string, file: Blob): Promise<void>;
  /** Removes a file. */
  remove(name: string): Promise<void>;
}

/** The name of the folder. */
const NAME = "tilewise-kept";

/** The folder of this page; nothing, where the browser has none. */
export async function keptFolder(): Promise<KeptFolder | undefined> {
  try {
    const root = await navigator.storage.getDirectory();
    return folderOf(await root.getDirectoryHandle(NAME, { create: true }));
  } catch {
    return undefined;
  }
}

function folderOf(folder: FileSystemDirectoryHandle): KeptFolder {
  return {
    async read() {
      const files: Uint8Array[] = [];
      for await (const handle of folder.values()) {
        if (handle.kind !== "file") continue;
        files.push(new Uint8Array(await (await (handle as FileSystemFileHandle).getFile()).arrayBuffer()));
      }
      return files;
    },
    async write(name, contents) {
      const file = await folder.getFileHandle(name, { create: true });
      const stream = await file.createWritable();
      await stream.write(contents);
      await stream.close();
    },
    async remove(name) {
      await folder.removeEntry(name);
    },
  };
}
