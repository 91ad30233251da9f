/**
 * A Zarr store by paths: groups, attributes, and where arrays lie, also those of texts. For what is built on Zarr and keeps
 * its description in many small arrays.
 *
 * @module
 */

import { cannot, TilewiseError } from "../../errors.ts";
import type { FrameLayout } from "../../dataset/layout/layout.ts";
import { webUrl } from "../../io/open.ts";
import { WebStore } from "../../io/store/web.ts";
import type { Json } from "./json.ts";
import { foundKeys, layoutOf, type OpenedStore } from "./layout.ts";
import type { ZarrArray, ZarrNode } from "./node.ts";
import { arrayOfV2, arrayOfV3 } from "./arrays.ts";
import { Walk } from "./walk.ts";

/** Texts of a fixed size, as numbers of letters. */
interface TextLayout {
  /** Letters of all texts, one after another, as UTF-32. */
  readonly layout: FrameLayout;
  /** Letters of a text. */
  readonly letters: number;
}

/** The groups and arrays of a store. */
export class ZarrTree {
  /** What is to be said of the arrays whose layouts were asked for. */
  readonly warnings: string[] = [];

  private constructor(
    /** Path or URL of the store. */
    readonly name: string,
    private readonly opened: OpenedStore,
    private readonly nodes: ReadonlyMap<string, ZarrNode>,
    /** Why groups and arrays are missing. */ private readonly problems: readonly TilewiseError[],
  ) {}

  /** Reads all documents of the store in a folder, or below a URL. */
  static async open(path: string, signal?: AbortSignal): Promise<ZarrTree> {
    const opened = await storeAt(path);
    const walk = new Walk(opened.store, signal);
    const nodes = await walk.nodes();
    if (nodes.length === 0) {
      throw cannot("open", path, "unknown-format", "there is no Zarr store");
    }
    return new ZarrTree(path, opened, new Map(nodes.map((node) => [node.path, node])), walk.problems);
  }

  /** Paths of all groups. */
  get groups(): string[] {
    return [...this.nodes.values()].filter(({ array }) => !array).map(({ path }) => path);
  }

  /** Whether there is an array at a path. */
  has(path: string): boolean {
    return this.nodes.get(path)?.array !== undefined;
  }

  /** The attributes of a group or array; empty if there is none. */
  attributes(path: string): Json {
    return this.nodes.get(path)?.attributes ?? {};
  }

  /** Names of the dimensions of an array. */
  dimensions(path: string): readonly (string | undefined)[] {
    return arrayOf(this.#node(path)).names ?? [];
  }

  /** Where the samples of an array lie: all of its dimensions are those of one frame. */
  async layout(path: string, signal?: AbortSignal): Promise<FrameLayout> {
    return await this.#layoutOf(arrayOf(this.#node(path)), signal);
  }

  /** Where the letters of a list of texts lie. */
  async texts(path: string, signal?: AbortSignal): Promise<TextLayout> {
    const node = this.#node(path);
    const letters = lettersIn(node.array!, node.version);
    const shape = node.array!["shape"];
    if (letters === undefined || !Array.isArray(shape) || shape.length === 0) {
      const text = `Cannot read ${path} of ${this.name}: it is not a list of texts of a fixed size`;
      throw new TilewiseError("unsupported", text, { file: this.name, found: path });
    }
    const array = arrayOf({ ...node, array: asNumbers(node.array!, node.version, letters) });
    return { layout: await this.#layoutOf(array, signal), letters };
  }

  async #layoutOf(told: ZarrArray, signal: AbortSignal | undefined): Promise<FrameLayout> {
    const { array, warning } = await foundKeys(told, this.opened.store, signal);
    if (warning !== undefined && !this.warnings.includes(warning)) this.warnings.push(warning);
    return layoutOf(array, this.opened, array.shape.length);
  }

  #node(path: string): ZarrNode {
    const node = this.nodes.get(path);
    if (node?.array) return node;
    const own = this.problems.find(({ details }) => `${details.file}/`.includes(`/${path}/`));
    if (own) throw own;
    throw cannot("read", this.name, "malformed", `it has no array ${path}`, { expected: path });
  }
}

function arrayOf(node: ZarrNode): ZarrArray {
  return node.version === 2 ? arrayOfV2(node) : arrayOfV3(node);
}

async function storeAt(path: string): Promise<OpenedStore> {
  const url = webUrl(path);
  if (url) {
    const store = new WebStore({ kind: "web", url: url.href });
    return { store, keyed: store.describe() };
  }
  const { FolderStore } = await import("../../io/store/folder.ts");
  const spec = { kind: "folder", path: path.replace(/\/+$/, ""), since: Date.now() } as const;
  return { store: new FolderStore(spec), keyed: spec };
}

/** Letters of texts of a fixed size; `undefined` for all other types. */
function lettersIn(json: Json, version: 2 | 3): number | undefined {
  if (version === 2) {
    const [, letters] = /^[<|]U(\d+)$/.exec(String(json["dtype"])) ?? [];
    return letters === undefined ? undefined : Number(letters);
  }
  const type = json["data_type"] as
    | { name?: unknown; configuration?: { length_bytes?: unknown } }
    | undefined;
  const bytes = Number(type?.configuration?.length_bytes);
  return type?.name === "fixed_length_utf32" && bytes > 0 && bytes % 4 === 0 ? bytes / 4 : undefined;
}

/** The document of a list of texts as if it were one of letters, along its last axis: keys and chunks are the same. */
function asNumbers(json: Json, version: 2 | 3, letters: number): Json {
  const longer = (sizes: unknown) =>
    Array.isArray(sizes) ? sizes.map((n, d) => d === sizes.length - 1 ? n * letters : n) : sizes;
  const shape = longer(json["shape"]);
  if (version === 2) return { ...json, shape, chunks: longer(json["chunks"]), dtype: "<u4", fill_value: 0 };
  const grid = json["chunk_grid"] as { configuration?: { chunk_shape?: unknown } } | undefined;
  const chunk_shape = longer(grid?.configuration?.chunk_shape);
  return {
    ...json,
    shape,
    data_type: "uint32",
    fill_value: 0,
    chunk_grid: { ...grid, configuration: { ...grid?.configuration, chunk_shape } },
  };
}
