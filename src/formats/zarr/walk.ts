/**
 * The groups and arrays of a store: from consolidated metadata, by listing, or by the names that metadata mention.
 *
 * @module
 */

import { isTilewiseError, type TilewiseError } from "../../errors.ts";
import { isKey, keyError, type Store } from "../../io/store/store.ts";
import type { SourceSpec } from "../../io/source/source.ts";
import { isObject, type Json, malformed, objectIn, objectsIn, parseJson, textIn } from "./json.ts";
import type { ZarrNode } from "./node.ts";
import { inSeries, seriesIn } from "./ome.ts";

/** Most bytes of a document. */
const MOST_BYTES = 64 * 2 ** 20;
/** Most groups and arrays of a store. */
const MOST_NODES = 100_000;
/** Levels of folders that are searched for a store. */
const MOST_PLAIN = 2;
/** Documents that are read at the same time. */
const LANES = 8;

/** The name of a dimension, after which xarray calls the array of its coordinates. */
function dimensionName({ array, attributes }: ZarrNode, d: number): string[] {
  const names = array!["dimension_names"] ?? attributes["_ARRAY_DIMENSIONS"];
  const name: unknown = Array.isArray(names) ? names[d] : undefined;
  return typeof name === "string" && isKey(name) && !name.includes("/") ? [name] : [];
}

/** Reads the documents of a store. */
export class Walk {
  #found = 0;
  /** Documents of the top, which several questions are about. */
  readonly #documents = new Map<string, Promise<Document | undefined>>();
  /** Why groups and arrays were left out: each stands alone. */
  readonly problems: TilewiseError[] = [];

  /** Reads documents of `store`. */
  constructor(private readonly store: Store, private readonly signal: AbortSignal | undefined) {}

  /**
   * The array at `path`, and the groups and arrays above and beside it that describe it: levels of its image, or its axes.
   * Nothing if there is none.
   */
  async alone(path: string): Promise<ZarrNode[]> {
    const found = isKey(path) || path === "" ? await this.node(path) : undefined;
    if (!found?.array) return [];
    if (path === "") return [found];
    const { version } = found;
    const steps = path.split("/");
    const above = steps.map((_, i) => steps.slice(0, i).join("/"));
    const groups = (await this.#known(above, version)).toReversed();
    const image = groups.find(({ attributes }) => scalesIn(attributes).length > 0);
    const parent = above.at(-1)!;
    const rank = found.array["shape"] instanceof Array ? found.array["shape"].length : 0;
    const dims = [...Array(rank).keys()], names = dims.flatMap((d) => dimensionName(found, d));
    const beside = image
      ? this.#levels(image)
      : [below(parent, "axis-0"), ...above.flatMap((group) => names.map((name) => below(group, name)))];
    const others = await this.#describing(beside, found);
    const isHyperspy = others.some((node) => node.path === below(parent, "axis-0"));
    const more = isHyperspy
      ? await this.#describing(hyperspyNames(dims).map((name) => below(parent, name)), found)
      : [];
    return [...groups.toReversed(), ...others, ...more, found];
  }

  /** Those of `paths` that there are beside an array, without damaged ones: they are not what was asked for. */
  async #describing(paths: readonly string[], { path, version }: ZarrNode): Promise<ZarrNode[]> {
    const others = [...new Set(paths)].filter((one) => one !== path);
    const nodes = await Promise.all(others.map((one) =>
      this.node(one, version).catch((error: unknown) => {
        if (!isOfContents(error)) throw error;
      })
    ));
    return nodes.filter((node) => node !== undefined);
  }

  /** The groups and arrays that there are. */
  async #known(paths: readonly string[], version: 2 | 3): Promise<ZarrNode[]> {
    const nodes = await Promise.all(paths.map((path) => this.node(path, version)));
    return nodes.filter((node) => node !== undefined);
  }

  /** Paths of the levels of an image. */
  #levels({ path, attributes }: ZarrNode): string[] {
    const names = scalesIn(attributes).flatMap((scales) => objectsIn(scales, "datasets")).map((one) =>
      textIn(one, "path")
    );
    return this.#inside(names).map((name) => below(path, name));
  }

  /** All groups and arrays, those at the top first. */
  async nodes(): Promise<ZarrNode[]> {
    const root = await this.node("");
    const known = root ? await this.#consolidated(root) : undefined;
    if (known) return inSeries(known);
    const nodes: ZarrNode[] = [];
    await this.#below("", root, MOST_PLAIN + 1, nodes);
    return inSeries(nodes);
  }

  /** The group or array at `path`, of `version` where that is known from others; `undefined`: there is none. */
  async node(path: string, version?: 2 | 3): Promise<ZarrNode | undefined> {
    if (path !== "" && !isKey(path)) throw keyError(this.store.name, path);
    const folder = path === "" ? "" : `${path}/`;
    const newer = version === 2 ? undefined : await this.#document(`${folder}zarr.json`);
    if (newer) return nodeOfV3(path, newer);
    if (version === 3) return undefined;
    const [array, attributes] = await Promise.all(
      [".zarray", ".zattrs"].map((name) => this.#document(folder + name)),
    );
    const group = array ? undefined : await this.#document(`${folder}.zgroup`);
    const own = array ?? group ?? attributes;
    if (!own) return undefined;
    if (array) checkVersion(array.json, 2, array.file);
    return {
      path,
      file: own.file,
      source: own.source,
      version: 2,
      ...(array ? { array: array.json } : {}),
      attributes: attributes?.json ?? {},
    };
  }

  /** The document `key`, which is read once. */
  #document(key: string): Promise<Document | undefined> {
    const known = this.#documents.get(key) ?? this.#read(key);
    this.#documents.set(key, known);
    return known;
  }

  async #read(key: string): Promise<Document | undefined> {
    const found = await this.store.get(key, MOST_BYTES, this.signal);
    if (!found) return undefined;
    const file = `${this.store.name.replace(/[/\\]$/, "")}/${key}`;
    return { file, source: found.source, json: parseJson(found.bytes, file) };
  }

  /** The nodes that the document of the root lists. */
  async #consolidated(root: ZarrNode): Promise<ZarrNode[] | undefined> {
    if (root.version === 3) {
      const document = await this.#document("zarr.json");
      const metadata = objectIn(document!.json, "consolidated_metadata")["metadata"];
      if (!isObject(metadata)) return undefined;
      return [root, ...this.#each(Object.entries(metadata), (entry) => this.#entryOf(root, entry))];
    }
    const document = root.array ? undefined : await this.#document(".zmetadata");
    const metadata = document?.json["metadata"];
    if (!document || !isObject(metadata)) return undefined;
    const paths = new Set(Object.keys(metadata).map((key) => key.replace(/(^|\/)\.z\w+$/, "")));
    return this.#each([...paths], (path) => this.#listed(document, metadata, path));
  }

  #entryOf(root: ZarrNode, [path, json]: [string, unknown]): ZarrNode {
    if (!isObject(json)) {
      throw malformed(root.file, `its metadata of ${JSON.stringify(path)} are not an object`);
    }
    return nodeOfV3(this.#checked(path), { json, file: `${root.file}, ${path}`, source: root.source });
  }

  #listed(document: Document, metadata: Json, path: string): ZarrNode | undefined {
    const folder = this.#checked(path) === "" ? "" : `${path}/`;
    const [array, group, attributes] = [".zarray", ".zgroup", ".zattrs"].map((name) =>
      metadata[folder + name]
    );
    const file = `${document.file}, ${path || "/"}`;
    if (!isObject(array) && !isObject(group) && !isObject(attributes)) return undefined;
    if (isObject(array)) checkVersion(array, 2, file);
    return {
      path,
      file,
      source: document.source,
      version: 2,
      ...(isObject(array) ? { array } : {}),
      attributes: isObject(attributes) ? attributes : {},
    };
  }

  /** What `read` makes of each; those that cannot be right become problems. */
  #each<T, R>(all: readonly T[], read: (one: T) => R | undefined): R[] {
    return all.map((one) => {
      try {
        return read(one);
      } catch (error) {
        return this.#leftOut(error);
      }
    }).filter((found) => found !== undefined);
  }

  /** Keeps an error about contents as a problem; throws all others. */
  #leftOut(error: unknown): undefined {
    if (!isOfContents(error)) throw error;
    this.problems.push(error);
  }

  #checked(path: string): string {
    if (path === "" || isKey(path)) return path;
    throw keyError(this.store.name, path);
  }

  /** Names that stay inside of the store. */
  #inside(names: readonly (string | undefined)[]): string[] {
    return this.#each(names.filter((name) => name !== undefined), (name) => this.#checked(name));
  }

  /** Adds `node` and all nodes below it. Folders that are not groups are searched `plain` levels deep. */
  async #below(path: string, node: ZarrNode | undefined, plain: number, nodes: ZarrNode[]): Promise<void> {
    if (node) nodes.push(node);
    if (node?.array) return;
    if (this.#found++ > MOST_NODES) {
      throw malformed(this.store.name, `it has more than ${MOST_NODES} groups and arrays`);
    }
    const paths = await this.#children(path, node);
    for (let first = 0; first < paths.length; first += LANES) {
      const some = paths.slice(first, first + LANES);
      const children = await Promise.all(
        some.map((child) => this.node(child, node?.version).catch((error) => this.#leftOut(error))),
      );
      for (const [i, child] of children.entries()) {
        const left = child ? MOST_PLAIN + 1 : plain - 1; // rows of plates may have no document of their own
        if (left > 0) await this.#below(some[i]!, child, left, nodes);
      }
    }
  }

  /** Paths of what may be groups and arrays below a group. */
  async #children(path: string, node: ZarrNode | undefined): Promise<string[]> {
    const names = this.store.list
      ? (await this.store.list(path)).filter(({ isFolder }) => isFolder).map(({ name }) => name)
      : node
      ? await this.#mentioned(node)
      : [];
    return names.map((name) => below(path, name));
  }

  /** What the attributes of a group mention: the levels of an image, its labels, wells, fields. */
  async #mentioned({ path, attributes, version }: ZarrNode): Promise<string[]> {
    const ome = { ...attributes, ...objectIn(attributes, "ome") };
    const names = [
      ...scalesIn(attributes).flatMap((scales) => objectsIn(scales, "datasets")),
      ...objectsIn(objectIn(ome, "plate"), "wells"),
      ...objectsIn(objectIn(ome, "well"), "images"),
    ].map((one) => textIn(one, "path"));
    const labels = ome["labels"];
    if (Array.isArray(labels)) names.push(...labels.filter((name) => typeof name === "string"));
    if (scalesIn(attributes).length > 0) names.push("labels");
    if (ome["bioformats2raw.layout"] !== undefined) names.push(...await this.#series(path, version));
    return [...new Set(this.#inside(names))];
  }

  /** Images of a file that was converted by bioformats2raw: those that the group OME names, otherwise 0, 1, 2 …. */
  async #series(path: string, version: 2 | 3): Promise<string[]> {
    const named = seriesIn(await this.node(below(path, "OME"), version));
    if (named.length > 0) return ["OME", ...named];
    const names: string[] = [];
    for (let n = 0; n < MOST_NODES; n++) {
      const name = String(n);
      if (!await this.node(below(path, name), version)) break;
      names.push(name);
    }
    return names;
  }
}

/** Whether an error is about what a document says, and not about reading it. */
export function isOfContents(error: unknown): error is TilewiseError {
  return isTilewiseError(error, "malformed") || isTilewiseError(error, "unsupported");
}

/** What HyperSpy keeps beside samples of these dimensions, behind its first axis. */
function hyperspyNames(dims: readonly number[]): string[] {
  const axes = dims.flatMap((d) => ["", "/axis", "/x", "/x/axis"].map((name) => `axis-${d}${name}`));
  return [...axes.slice(1), "metadata/Signal"];
}

/** The path of what is called `name` in a group. */
function below(path: string, name: string): string {
  return path === "" ? name : `${path}/${name}`;
}

/** What attributes say about the images of a group. */
function scalesIn(attributes: Json): readonly Json[] {
  return objectsIn({ ...attributes, ...objectIn(attributes, "ome") }, "multiscales");
}

/** A document that was read. */
interface Document {
  readonly json: Json;
  readonly file: string;
  readonly source: SourceSpec;
}

function nodeOfV3(path: string, { json, file, source }: Document): ZarrNode {
  checkVersion(json, 3, file);
  const type = json["node_type"];
  if (type !== "array" && type !== "group") {
    throw malformed(file, `it is a node of type ${JSON.stringify(type)}, neither an array nor a group`);
  }
  const attributes = objectIn(json, "attributes");
  return { path, file, source, version: 3, ...(type === "array" ? { array: json } : {}), attributes };
}

function checkVersion(json: Json, version: number, file: string): void {
  const found = json["zarr_format"];
  if (found === version) return;
  throw malformed(file, `its zarr_format is ${JSON.stringify(found)}, not ${version}`);
}
