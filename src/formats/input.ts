/**
 * The input of formats: opened sources, their first bytes, and the files beside them.
 *
 * @module
 */

import type { Detection } from "../dataset/dataset.ts";
import { isTilewiseError, TilewiseError } from "../errors.ts";
import { openSource, type SourceInput } from "../io/open.ts";
import { type ByteSource, ownSpecs, readUpTo } from "../io/source.ts";
import { type FormatInput, PROBE_BYTES } from "./format.ts";
import type { OpenOptions } from "./options.ts";

/** Opened sources; closes them, and the siblings that formats opened, when it is disposed of. */
export class Input implements AsyncDisposable {
  /** Everything that was given, in order. */
  readonly given: readonly ByteSource[];
  /** The first bytes of the first source. */
  readonly head: Uint8Array;
  readonly #options: OpenOptions;
  readonly #opened: ByteSource[] = [];
  readonly #files = new Set<string>();
  #asked = false;
  #denied: TilewiseError | undefined;
  #beside: Promise<ReadonlyMap<string, string | ByteSource>> | undefined;

  private constructor(given: readonly ByteSource[], head: Uint8Array, options: OpenOptions) {
    this.given = given;
    this.head = head;
    this.#options = options;
    given.forEach((source) => this.#note(source));
  }

  /** Opens all of `inputs` and reads the head of the first. */
  static async open(inputs: readonly SourceInput[], options: OpenOptions): Promise<Input> {
    if (inputs.length === 0) throw new TilewiseError("invalid", "Cannot open an empty list of sources");
    const given: ByteSource[] = [];
    try {
      for (const input of inputs) given.push(await openSource(input, sourceOptions(options)));
      return new Input(given, await readUpTo(given[0]!, 0, PROBE_BYTES, options.signal), options);
    } catch (error) {
      await closeAll(given);
      throw error;
    }
  }

  /** The first source. */
  get source(): ByteSource {
    return this.given[0]!;
  }

  /** Its name without the folder. */
  get name(): string {
    return baseName(this.source.name);
  }

  /** Its size. */
  get size(): number {
    return this.source.size;
  }

  /** As a format takes it. */
  forFormat(detection: Detection): FormatInput {
    const { source, given, name, size, head } = this;
    return {
      source,
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
      throw new TilewiseError("not-found", `Cannot open ${name}: it is not beside ${this.source.name}`, {
        file: name,
      });
    }
    if (typeof found !== "string") return found;
    const source = await openSource(found, sourceOptions(this.#options));
    this.#opened.push(source);
    this.#note(source);
    return source;
  }

  /** Opens the file at a relative path, or the one that was given under that name. */
  async openBeside(path: string): Promise<ByteSource> {
    const steps = path.split(/[/\\]/);
    if (steps.includes("..") || steps[0] === "" || /^[a-z]+:/i.test(path)) {
      const text =
        `Cannot open ${path}, which ${this.source.name} names: it must be a path inside its folder`;
      throw new TilewiseError("invalid", text, { file: path });
    }
    const given = this.given.slice(1).find(({ name }) => baseName(name) === steps.at(-1));
    if (given) return given;
    const spec = this.source.describe();
    const place = spec.kind === "file"
      ? spec.path.replace(/[^/\\]*$/, "") + path
      : spec.kind === "http"
      ? new URL(steps.map(encodeURIComponent).join("/"), spec.url)
      : undefined;
    if (place === undefined) {
      const text =
        `Cannot open ${path}, which ${this.source.name} names: open all files as a list, this one first`;
      throw new TilewiseError("not-found", text, { file: path });
    }
    const source = await openSource(place, sourceOptions(this.#options));
    this.#opened.push(source);
    this.#note(source);
    return source;
  }

  /** What the format did not see, though it asked: the folder may not be read. */
  get unseen(): string | undefined {
    if (!this.#asked || !this.#denied) return undefined;
    const { file, expected } = this.#denied.details;
    const hint = expected === undefined ? "" : `; add ${expected}`;
    return `The folder ${file} may not be read, so that files beside ${this.name} are not looked for${hint}`;
  }

  /** Paths of the files that were opened: those that were given, then those beside them. */
  get filesRead(): string[] {
    return [...this.#files];
  }

  /** Closes everything. */
  async [Symbol.asyncDispose](): Promise<void> {
    await closeAll([...this.#opened, ...this.given]);
  }

  /** What has been closed does not say any more what it was. */
  #note(source: ByteSource): void {
    for (const spec of ownSpecs(source.describe())) if (spec.kind === "file") this.#files.add(spec.path);
  }

  #siblings(): Promise<ReadonlyMap<string, string | ByteSource>> {
    return this.#beside ??= this.#findSiblings();
  }

  async #findSiblings(): Promise<ReadonlyMap<string, string | ByteSource>> {
    const given = new Map<string, string | ByteSource>(this.given.map((one) => [baseName(one.name), one]));
    const spec = this.source.describe();
    if (this.given.length > 1 || spec.kind !== "file") return given;
    const { listSiblings } = await import("../io/file.ts");
    try {
      for (const { name, path } of listSiblings(spec.path)) if (!given.has(name)) given.set(name, path);
    } catch (error) {
      if (!isTilewiseError(error, "permission")) throw error; // the file alone was permitted, and may do
      this.#denied = error;
    }
    return given;
  }
}

function sourceOptions({ http, signal }: OpenOptions) {
  return { ...(http ? { http } : {}), ...(signal ? { signal } : {}) };
}

/** The part of a path or URL after the last slash, without query; of URLs without escapes, as files are called. */
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
