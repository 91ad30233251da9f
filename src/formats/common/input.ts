/**
 * The input of formats: opened sources, their first bytes, and the files beside them.
 *
 * @module
 */

import { defined } from "../../options.ts";
import type { Detection } from "../../dataset/facts.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import { openSource, type SourceInput } from "../../io/open.ts";
import type { PickedFolder } from "../../io/picked.ts";
import { type ByteSource, ownSpecs, readUpTo, type SourceSpec } from "../../io/source/source.ts";
import { baseName, type FormatInput, PROBE_BYTES } from "./format.ts";
import type { Neighbours } from "./neighbours.ts";
import type { OpenOptions } from "./options.ts";
import type { Opened, StoreInput } from "./store_input.ts";

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
  #neighbours: Neighbours | undefined;

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
        const { source, store = await storeOf([source]) } = await openOne(inputs[0]!, options);
        given.push(source);
        return new Input(given, await headOf(source, options), options, store, folder);
      }
      for (const input of inputs) given.push(await openSource(input, options));
      return new Input(given, await headOf(given[0]!, options), options, await storeOf(given));
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
      ...defined({ store }),
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
      openSibling: async (sibling) => (await this.#files()).openSibling(sibling),
      openBeside: async (path) => (await this.#files()).openBeside(path),
    };
  }

  /** Bytes of the first source. */
  bytesAt(at: number, most: number): Promise<Uint8Array> {
    return readUpTo(this.source, at, most, this.#options.signal);
  }

  /** Names of the files beside it. */
  async siblings(): Promise<readonly string[]> {
    return await (await this.#files()).names();
  }

  /** Descriptions of everything that was opened. */
  get opened(): readonly SourceSpec[] {
    return this.#specs;
  }

  /** The same without those files of a user that nothing was read of. */
  get used(): readonly SourceSpec[] {
    return this.#specs.filter((_, i) => this.given[i]?.isRead !== false);
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
    const { denied } = this.#neighbours ?? {};
    if (!this.#asked || !denied) return undefined;
    const { file, expected } = denied.details;
    const hint = expected === undefined ? "" : `; add ${expected}`;
    const text =
      `The folder ${file} may not be read, so that files beside ${this.name} are not looked for${hint}`;
    if (this.#options.noSeries) return text;
    const alone = `${text}; or read this file alone, as in { noSeries: true }`;
    throw new TilewiseError("permission", alone, { ...denied.details }, { cause: denied });
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

  /** The files beside it; code for these is loaded when a format asks for one. */
  async #files(): Promise<Neighbours> {
    const { Neighbours } = await import("./neighbours.ts");
    const { given, folder } = this;
    return this.#neighbours ??= new Neighbours({
      given,
      options: this.#options,
      ...defined({ folder }),
      open: (place) => this.#open(place),
    });
  }

  async #open(place: string | URL | Blob): Promise<ByteSource> {
    const source = await openSource(place, this.#options);
    this.#opened.push(source);
    this.#specs.push(source.describe()); // formats may close it
    return source;
  }
}

/** Opens an input: what has a name may be a store. */
async function openOne(input: SourceInput, options: OpenOptions): Promise<Opened> {
  const isNamed = typeof input === "string" || input instanceof URL;
  if (!isNamed) return { source: await openSource(input, options) };
  const { openStoreOr } = await import("./store_input.ts");
  return await openStoreOr(input, options);
}

/** The store whose files were given, if it is one; a picked folder may have a single file. */
async function storeOf(given: readonly ByteSource[]): Promise<StoreInput | undefined> {
  const isPicked = given[0]?.describe().kind === "blob" && given[0].name.includes("/");
  if (given.length < 2 && !isPicked) return undefined;
  return (await import("./store_input.ts")).listStore(given);
}

function headOf(source: ByteSource, { signal }: OpenOptions): Promise<Uint8Array> {
  return readUpTo(source, 0, PROBE_BYTES, signal);
}

/** Whether a source has changed by growing. */
function hasGrown(error: unknown): boolean {
  if (!isTilewiseError(error, "changed")) return false;
  const { what, expected, found } = error.details;
  return what === "size" && Number(found) > Number(expected);
}

async function closeAll(sources: Iterable<ByteSource>): Promise<void> {
  for (const source of sources) await source[Symbol.asyncDispose]();
}
