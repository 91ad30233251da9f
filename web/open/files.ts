/**
 * Files and folders that were dropped or chosen, as a list; those of folders know where in it they lie.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

/** Most files of a folder. */
const MOST = 100_000;

/** All files of a drop; it must be called before the event ends. */
export async function droppedFiles({ items, files }: DataTransfer): Promise<File[]> {
  const entries = [...items].filter(({ kind }) => kind === "file").map((item) =>
    item.webkitGetAsEntry?.() ?? undefined
  );
  const plain = [...files];
  if (!entries.some((entry) => entry?.isDirectory)) return plain;
  const found: File[] = [];
  for (const entry of entries) if (entry) await collect(entry, found);
  return found;
}

/** Adds the files of an entry, those of folders in it as well; hidden ones of the system are left out. */
async function collect(entry: FileSystemEntry, found: File[]): Promise<void> {
  if (found.length >= MOST) return;
  if (entry.isFile) return void found.push(await fileOf(entry as FileSystemFileEntry));
  if (!entry.isDirectory) return;
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject)
    );
    if (some.length === 0) return; // a reader gives a hundred at a time
    for (const one of some) if (one.name !== ".DS_Store") await collect(one, found);
  }
}

/** The file, with its path in the folder as files of a chosen folder have it. */
async function fileOf(entry: FileSystemFileEntry): Promise<File> {
  const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject));
  const path = entry.fullPath.replace(/^\//, "");
  if (path.includes("/")) Object.defineProperty(file, "webkitRelativePath", { value: path });
  return file;
}

/** The dialogs of the browser for files and for folders; they are inputs of the page that nobody sees. */
export class FilePicker {
  /** What must be in the page. */
  readonly root: HTMLElement;
  readonly #files: HTMLInputElement;
  readonly #folder: HTMLInputElement;

  /** Calls `chosen` with what the user has chosen. */
  constructor(chosen: (files: File[]) => void) {
    this.#files = picker(chosen);
    this.#folder = picker(chosen);
    this.#folder.webkitdirectory = true;
    this.root = document.createElement("div");
    this.root.hidden = true;
    this.root.append(this.#files, this.#folder);
  }

  /** Lets the user choose files, or a folder. */
  open(folder: boolean): void {
    (folder ? this.#folder : this.#files).click();
  }
}

function picker(chosen: (files: File[]) => void): HTMLInputElement {
  const input = document.createElement("input");
  input.type = "file";
  input.multiple = true;
  input.tabIndex = -1;
  input.addEventListener("change", () => {
    const files = [...input.files ?? []];
    input.value = ""; // the same file can be chosen again
    chosen(files);
  });
  return input;
}

/** What several files are called: the folder, or the first of them. */
export function nameOfFiles(files: readonly File[]): string {
  const [first] = files;
  if (!first) return "";
  const folder = first.webkitRelativePath?.split("/")[0];
  if (folder) return folder;
  return files.length === 1 ? first.name : `${first.name} and ${files.length - 1} more`;
}
