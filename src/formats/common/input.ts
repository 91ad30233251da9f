/**
 * The input of formats: opened sources, their first bytes, and the files beside them.
 *
 * @module
 */

import type { Detection } from "../../dataset/facts.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { openSource, type SourceInput } from "../../io/open.ts";
import type { PickedFolder } from "../../io/picked.ts";
import { type ByteSource, ownSpecs, readUpTo, type SourceSpec } from "../../io/source/source.ts";
import { type FormatInput, PROBE_BYTES } from "./format.ts";
import type { OpenOptions } from "./options.ts";
import { listStore, openStoreOr, sourceOptions, type StoreInput } from "./store_input.ts";

/** Opened sources; closes them, and the siblings that formats opened, when it is disposed of. */
export class Input implements AsyncDisposable {
  /** Everything that was given, in order. */
  readonly given: readonly ByteSource[];
  /** The first bytes of the first source. */
  readonly head: Uint8Array;
  readonly #options: OpenOptions;
  readonly #opened: ByteSource[] = [];
  readonly #specs: SourceSpec[];
  #asked = false;
  #denied: TilewiseError | undefined;
  #beside: Promise<ReadonlyMap<string, string | Blob | ByteSource>> | undefined;

  private constructor(
    given: readonly ByteSource[],
    head: Uint8Array,
    options: OpenOptions,
    /** The store that was given, if it is one. */ readonly store: StoreInput | undefined,
    /** The folder of the source, if it was picked by a user. */ private readonly folder?: PickedFolder,
  ) {
    this.given = given;
    this.head = head;
    this.#options = options;
    this.#specs = given.map((source) => source.describe());
  }

  /** Opens all of `inputs` and reads the head of the first. `folder`: has the only one of them, and the files beside it. */
  static async open(
    inputs: readonly SourceInput[],
    options: OpenOptions,
    folder?: PickedFolder,
  ): Promise<Input> {
    if (inputs.length === 0) throw new TilewiseError("invalid", "Cannot open an empty list of sources");
    const given: ByteSource[] = [];
    try {
      if (inputs.length === 1) {
        const { source, store } = await openStoreOr(inputs[0]!, options);
        given.push(source);
        return new Input(given, await headOf(source, options), options, store ?? listStore(given), folder);
      }
      for (const input of inputs) given.push(await openSource(input, sourceOptions(options)));
      return new Input(given, await headOf(given[0]!, options), options, listStore(given));
    } catch (error) {
      await closeAll(given);
      throw error;
    }
  }

  /** The first source. */
  get source(): ByteSource {
    return this.given[0]!;
  }

  /** What the user calls it: its name, or that of the store. */
  get title(): string {
    return this.store?.name ?? this.source.name;
  }

  /** Its name without the folder. */
  get name(): string {
    return baseName(this.title);
  }

  /** Its size. */
  get size(): number {
    return this.source.size;
  }

  /** The input for a format. */
  forFormat(detection: Detection): FormatInput {
    const { source, given, name, size, head, store } = this;
    return {
      source,
      ...(store ? { store } : {}),
      given,
      name,
      size,
      head,
      detection,
      bytesAt: (at, most) => this.bytesAt(at, most),
      siblings: () => {
        this.#asked = true;
        return this.siblings();
      },
      openSibling: (sibling) => this.openSibling(sibling),
      openBeside: (path) => this.openBeside(path),
    };
  }

  /** Bytes of the first source. */
  bytesAt(at: number, most: number): Promise<Uint8Array> {
    return readUpTo(this.source, at, most, this.#options.signal);
  }

  /** Names of the files beside it. */
  async siblings(): Promise<readonly string[]> {
    return [...(await this.#siblings()).keys()];
  }

  /** Opens one of them. */
  async openSibling(name: string): Promise<ByteSource> {
    const found = (await this.#siblings()).get(name);
    if (found === undefined) {
      throw missing(name, this.source.name);
    }
    if (found instanceof Blob) return await this.#open(found);
    if (typeof found !== "string") return found;
    await this.#fileInside(name);
    return await this.#open(found);
  }

  /** Opens the file at a relative path, or the one that was given under that name. */
  async openBeside(path: string): Promise<ByteSource> {
    const steps = path.split(/[/\\]/);
    const given = this.given.slice(1).find(({ name }) => baseName(name) === steps.at(-1));
    const isInside = !isAbsolute(path) && !steps.includes("..");
    if (given && isInside) return given;
    const spec = this.source.describe();
    if (spec.kind === "file") return await this.#open(await this.#fileInside(path));
    if (spec.kind === "http") return await this.#open(urlInside(spec.url, path, this.#options.root));
    if (!isInside) throw outside(this.source.name, path, path);
    const picked = this.folder?.files.get(
      `${this.#place()}${steps.filter((step) => step !== ".").join("/")}`,
    );
    if (picked) return await this.#open(picked);
    if (this.folder) throw missing(path, this.source.name);
    const text =
      `Cannot open ${path}, which ${this.source.name} names: open all files as a list, this one first`;
    throw new TilewiseError("not-found", text, { file: path });
  }

  /** The path of a file that the source names, or that is beside it; refused where it lies elsewhere. */
  async #fileInside(name: string): Promise<string> {
    const spec = this.source.describe();
    if (spec.kind !== "file") return name;
    const { pathInside } = await import("../../io/file/folder.ts");
    return pathInside(spec.path, name.replaceAll("\\", "/"), this.#options.root);
  }

  /** Descriptions of everything that was opened. */
  get opened(): readonly SourceSpec[] {
    return this.#specs;
  }

  /**
   * Throws `changed` when an opened source has changed. `grown`: files that have only grown are accepted, as in a running
   * acquisition; code that reads frames from them gets the error.
   */
  recheck({ grown = false } = {}): void {
    for (const source of [...this.given, ...this.#opened]) {
      try {
        source.recheck?.();
      } catch (error) {
        if (!grown || !hasGrown(error)) throw error;
      }
    }
  }

  /**
   * Handles a folder that the format needed but that may not be read. This is an error, `permission`, as other files of the
   * folder may change shape and samples, unless the caller wants the file alone.
   */
  get unseen(): string | undefined {
    if (!this.#asked || !this.#denied) return undefined;
    const { file, expected } = this.#denied.details;
    const hint = expected === undefined ? "" : `; add ${expected}`;
    const text =
      `The folder ${file} may not be read, so that files beside ${this.name} are not looked for${hint}`;
    if (this.#options.noSeries) return text;
    const alone = `${text}; or read this file alone, as in { noSeries: true }`;
    throw new TilewiseError("permission", alone, { ...this.#denied.details }, { cause: this.#denied });
  }

  /** Paths of the files that were opened: those that were given, then those beside them. */
  get filesRead(): string[] {
    const own = this.#specs.flatMap(ownSpecs);
    return [...new Set(own.flatMap((spec) => spec.kind === "file" ? [spec.path] : []))];
  }

  /** Closes everything. */
  async [Symbol.asyncDispose](): Promise<void> {
    await closeAll([...this.#opened, ...this.given]);
  }

  async #open(place: string | URL | Blob): Promise<ByteSource> {
    const source = await openSource(place, sourceOptions(this.#options));
    this.#opened.push(source);
    this.#specs.push(source.describe()); // formats may close it
    return source;
  }

  /** Where the source lies in its folder: empty, or with a slash at the end. */
  #place(): string {
    return this.source.name.slice(`${this.folder?.name}/`.length).replace(/[^/]*$/, "");
  }

  #siblings(): Promise<ReadonlyMap<string, string | Blob | ByteSource>> {
    return this.#beside ??= this.#findSiblings();
  }

  async #findSiblings(): Promise<ReadonlyMap<string, string | Blob | ByteSource>> {
    const given = new Map<string, string | Blob | ByteSource>(
      this.given.map((one) => [baseName(one.name), one]),
    );
    for (const [path, file] of this.folder?.files ?? []) {
      const name = baseName(path);
      if (path === this.#place() + name && !given.has(name)) given.set(name, file);
    }
    const spec = this.source.describe();
    if (this.given.length > 1 || spec.kind !== "file") return given;
    const { listSiblings } = await import("../../io/file/folder.ts");
    try {
      for (const { name, path } of listSiblings(spec.path)) if (!given.has(name)) given.set(name, path);
    } catch (error) {
      if (!isTilewiseError(error, "permission")) throw error; // only the file was permitted, which may be enough
      this.#denied = error;
    }
    return given;
  }
}

function headOf(source: ByteSource, { signal }: OpenOptions): Promise<Uint8Array> {
  return readUpTo(source, 0, PROBE_BYTES, signal);
}

/** The URL that `path` means beside `base`, or below the URL `root`; refused where it lies elsewhere. */
function urlInside(base: string, path: string, root?: string): URL {
  const url = new URL(path.split(/[/\\]/).map(encodeURIComponent).join("/"), base);
  const roots = [new URL(".", base).href, ...(root === undefined ? [] : [root.replace(/\/*$/, "/")])];
  if (!isAbsolute(path) && roots.some((one) => url.href.startsWith(one))) return url;
  throw outside(base, path, url.href);
}

/** Whether a path is absolute, on this or another operating system. */
export function isAbsolute(path: string): boolean {
  return /^([/\\]|[a-z]+:)/i.test(path);
}

function missing(file: string, source: string): TilewiseError {
  return new TilewiseError("not-found", `Cannot open ${file}: it is not beside ${source}`, { file });
}

function outside(source: string, path: string, found: string): TilewiseError {
  const text = `Cannot open ${path}, which ${source} names: it must be a path inside its folder, ` +
    "or below the place that the option root names";
  return new TilewiseError("invalid", text, { file: path, found, option: "root" });
}

/** Whether a source has changed by growing. */
function hasGrown(error: unknown): boolean {
  if (!isTilewiseError(error, "changed")) return false;
  const { what, expected, found } = error.details;
  return what === "size" && Number(found) > Number(expected);
}

/** The part of a path or URL after the last slash, without query; escapes of URLs are decoded, as in file names. */
function baseName(name: string): string {
  const isUrl = /^https?:\/\//i.test(name);
  const base = (isUrl ? name.replace(/[?#].*$/, "") : name).replace(/^.*[/\\](?=[^/\\])/, "");
  if (!isUrl) return base;
  try {
    return decodeURIComponent(base);
  } catch {
    return base; // a lone %
  }
}

async function closeAll(sources: Iterable<ByteSource>): Promise<void> {
  for (const source of sources) await source[Symbol.asyncDispose]();
}
