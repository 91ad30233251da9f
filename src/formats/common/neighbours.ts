/**
 * The files beside a source: those of its folder, those at its server, those that were given with it.
 *
 * @module
 */

import { cannot, isTilewiseError, TilewiseError } from "../../errors.ts";
import type { PickedFolder } from "../../io/picked.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { baseName } from "./format.ts";
import type { OpenOptions } from "./options.ts";

/** What is known of the source. */
interface NeighboursInit {
  /** The source, and everything that was given with it. */
  readonly given: readonly ByteSource[];
  /** Where files may lie. */
  readonly options: OpenOptions;
  /** The folder of the source, if it was picked by a user. */
  readonly folder?: PickedFolder;
  /** Opens a file. */
  open(place: string | URL | Blob): Promise<ByteSource>;
}

/** Finds and opens the files beside a source. */
export class Neighbours {
  /** The error of a folder that may not be read. */
  denied: TilewiseError | undefined;
  #beside: Promise<ReadonlyMap<string, string | Blob | ByteSource>> | undefined;

  /** Nothing is looked for yet. */
  constructor(private readonly init: NeighboursInit) {}

  get #source(): ByteSource {
    return this.init.given[0]!;
  }

  /** Their names. */
  async names(): Promise<readonly string[]> {
    return [...(await this.#found()).keys()];
  }

  /** Opens one of them. */
  async openSibling(name: string): Promise<ByteSource> {
    const found = (await this.#found()).get(name);
    if (found === undefined) {
      throw missing(name, this.#source.name);
    }
    if (found instanceof Blob) return await this.init.open(found);
    if (typeof found !== "string") return found;
    const spec = this.#source.describe();
    if (spec.kind === "file") await this.#placeInside(spec.path, name);
    return await this.init.open(found);
  }

  /** Opens the file at a relative path, or the one that was given under that name. */
  async openBeside(path: string): Promise<ByteSource> {
    const steps = path.split(/[/\\]/);
    const given = this.init.given.slice(1).find(({ name }) => baseName(name) === steps.at(-1));
    const isInside = !isAbsolute(path) && !steps.includes("..");
    if (given && isInside) return given;
    const spec = this.#source.describe();
    if (spec.kind === "file") return await this.init.open(await this.#placeInside(spec.path, path));
    if (spec.kind === "http") return await this.init.open(await this.#placeInside(spec.url, path));
    if (!isInside) throw outside(this.#source.name, path, path);
    const picked = this.init.folder?.files.get(
      `${this.#place()}${steps.filter((step) => step !== ".").join("/")}`,
    );
    if (picked) return await this.init.open(picked);
    if (this.init.folder) throw missing(path, this.#source.name);
    const text =
      `Cannot open ${path}, which ${this.#source.name} names: open all files as a list, this one first`;
    throw new TilewiseError("not-found", text, { file: path });
  }

  /** The place of a file that the source at `base` names, or that is beside it; refused where it lies elsewhere. */
  async #placeInside(base: string, name: string): Promise<string> {
    const above = base.replace(/[^/\\]*[/\\]table\.dat$/, ""); // what lies beside the folder of a table lies beside it
    const { pathBeside } = await import("../../io/beside.ts");
    return await pathBeside(base, name, this.init.options.root, ...(above === base ? [] : [above || "."]));
  }

  /** Where the source lies in its folder: empty, or with a slash at the end. */
  #place(): string {
    return this.#source.name.slice(`${this.init.folder?.name}/`.length).replace(/[^/]*$/, "");
  }

  #found(): Promise<ReadonlyMap<string, string | Blob | ByteSource>> {
    return this.#beside ??= this.#find();
  }

  async #find(): Promise<ReadonlyMap<string, string | Blob | ByteSource>> {
    const given = new Map<string, string | Blob | ByteSource>(
      this.init.given.map((one) => [baseName(one.name), one]),
    );
    for (const [path, file] of this.init.folder?.files ?? []) {
      const name = baseName(path);
      if (path === this.#place() + name && !given.has(name)) given.set(name, file);
    }
    const spec = this.#source.describe();
    if (this.init.given.length > 1 || spec.kind !== "file") return given;
    const { listSiblings } = await import("../../io/file/folder.ts");
    try {
      for (const { name, path } of listSiblings(spec.path)) if (!given.has(name)) given.set(name, path);
    } catch (error) {
      if (!isTilewiseError(error, "permission")) throw error; // only the file was permitted, which may be enough
      this.denied = error;
    }
    return given;
  }
}

/** Whether a path is absolute, on this or another operating system. */
export function isAbsolute(path: string): boolean {
  return /^([/\\]|[a-z]+:)/i.test(path);
}

function missing(file: string, source: string): TilewiseError {
  return cannot("open", file, "not-found", `it is not beside ${source}`);
}

function outside(source: string, path: string, found: string): TilewiseError {
  const text = `Cannot open ${path}, which ${source} names: it must be a path inside its folder, ` +
    "or below the place that the option root names";
  return new TilewiseError("invalid", text, { file: path, found, option: "root" });
}
