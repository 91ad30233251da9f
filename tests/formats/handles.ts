/** Files and folders as a page gets them, made from files on disk: handles, lists of picked files, what was dropped. */

import type { FileHandle, FolderHandle } from "../../src/io/picked.ts";

/** The file at `path` as a page gets it. */
export function fileAt(path: string): File {
  return new File([Deno.readFileSync(path)], nameOf(path));
}

/** The handle of a file. */
export function fileHandle(path: string): FileHandle {
  return { kind: "file", name: nameOf(path), getFile: () => Promise.resolve(fileAt(path)) };
}

/** The handle of a folder, whose entries come in the order of the disk. */
export function folderHandle(path: string): FolderHandle {
  return {
    kind: "directory",
    name: nameOf(path),
    async *values() {
      for await (const { name, isDirectory } of Deno.readDir(path)) {
        yield isDirectory ? folderHandle(`${path}/${name}`) : fileHandle(`${path}/${name}`);
      }
    },
  };
}

/** All files of a folder, as `<input type="file" webkitdirectory>` gives them. */
export function pickedFiles(path: string, above: string = nameOf(path)): File[] {
  return [...Deno.readDirSync(path)].flatMap(({ name, isDirectory }) => {
    if (isDirectory) return pickedFiles(`${path}/${name}`, `${above}/${name}`);
    const file = fileAt(`${path}/${name}`);
    Object.defineProperty(file, "webkitRelativePath", { value: `${above}/${name}` });
    return [file];
  });
}

/** What a drop of these files and folders is to a page; a browser hands out at most `most` entries at a time. */
export function dropped(paths: readonly string[], most = 100) {
  return { items: paths.map((path) => ({ kind: "file", webkitGetAsEntry: () => entryOf(path, most) })) };
}

function entryOf(path: string, most: number): object {
  const isDirectory = Deno.statSync(path).isDirectory;
  return {
    isFile: !isDirectory,
    isDirectory,
    name: nameOf(path),
    file: (found: (file: File) => void) => queueMicrotask(() => found(fileAt(path))),
    createReader: () => {
      const names = [...Deno.readDirSync(path)].map(({ name }) => name);
      return {
        readEntries: (found: (entries: readonly object[]) => void) => {
          const some = names.splice(0, most).map((name) => entryOf(`${path}/${name}`, most));
          queueMicrotask(() => found(some));
        },
      };
    },
  };
}

function nameOf(path: string): string {
  return path.replace(/\/$/, "").replace(/^.*\//, "");
}
