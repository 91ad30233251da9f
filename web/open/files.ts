/**
 * Files and folders that the user chooses, as a list.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

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
