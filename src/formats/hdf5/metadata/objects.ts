/**
 * The objects of an HDF5 file: data sets found by walking its groups, or by path.
 *
 * @module
 */

import { cannot, isTilewiseError, TilewiseError } from "../../../errors.ts";
import { Turns } from "../../../turns.ts";
import { isOutside } from "../../common/beside.ts";
import { type Attributes, isGroup, type Link, readAttributes, readLinks } from "./attributes.ts";
import { type Hdf5Type, readType } from "./datatype.ts";
import type { Hdf5File } from "./file.ts";
import {
  type Dataspace,
  type Filter,
  type Layout,
  readDataspace,
  readFill,
  readFilters,
  readLayout,
  readOldFill,
} from "./messages.ts";
import { findMessages, MESSAGE, type Message, readMessages } from "./object_header.ts";

/** A data set as its messages describe it. */
export interface Hdf5Dataset {
  /** The file that holds it; external links lead to other files. */
  readonly file: Hdf5File;
  /** Its path, with a slash in front. */
  readonly path: string;
  /** Where its header is, as references have it. */
  readonly address: number;
  /** Its elements. */
  readonly type: Hdf5Type;
  /** Its dimensions. */
  readonly space: Dataspace;
  /** Where its samples lie. */
  readonly layout: Layout;
  /** What its chunks have gone through. */
  readonly filters: readonly Filter[];
  /** Bytes of the element that was never written; nothing: zeros. */
  readonly fill: Uint8Array | undefined;
  /** Whether its samples lie in other files, with an own list of them. */
  readonly isExternal: boolean;
  /** Its messages, for attributes and lists of files. */
  readonly messages: readonly Message[];
}

/** A group on the way through a file. */
interface Visit {
  readonly file: Hdf5File;
  readonly address: number;
  readonly path: string;
}

/** Most objects of a file that are visited. */
const MOST_OBJECTS = 100_000;
/** Links that are followed one after another. */
const MOST_HOPS = 16;

/** Opens the file that an external link names, beside this one; `undefined` if it is missing. */
export type OpenExternal = (name: string, from: Hdf5File) => Promise<Hdf5File | undefined>;

/** What a walk through a file found. */
export interface Found {
  /** The data sets in the order of their names. */
  readonly datasets: Hdf5Dataset[];
  /** Attributes of groups by path, where they have any. */
  readonly groups: Map<string, Attributes>;
  /** Links that lead nowhere, and objects that could not be read, in words. */
  readonly problems: Problem[];
}

const indexes = new WeakMap<Found, ReadonlyMap<string, Hdf5Dataset>>();

/** The data sets by their paths, and by the places of their headers, which are no paths. */
function indexOf(found: Found): ReadonlyMap<string, Hdf5Dataset> {
  const known = indexes.get(found) ?? new Map(found.datasets.flatMap((one) => [
    [one.path, one] as const,
    [placeOf(one), one] as const,
  ]));
  indexes.set(found, known);
  return known;
}

function placeOf({ file, address }: Pick<Hdf5Dataset, "file" | "address">): string {
  return `${address} of ${file.name}`;
}

/** The data set of that path that the walk found. */
export function datasetAt(found: Found, path: string): Hdf5Dataset | undefined {
  return indexOf(found).get(path);
}

/** The data set to which a reference leads. */
export function datasetOf(
  found: Found,
  place: Pick<Hdf5Dataset, "file" | "address">,
): Hdf5Dataset | undefined {
  return indexOf(found).get(placeOf(place));
}

/** Something that is not there, or not readable. */
export interface Problem {
  /** Where. */
  readonly path: string;
  /** What, in words. */
  readonly text: string;
  /** Whether it is a link to another file, which is missing or lies elsewhere. */
  readonly isLost?: boolean;
}

/**
 * All data sets under the root by name, every object once: rings of links end where they began. What has several names
 * goes by one of its own, not by that of a soft link.
 */
export async function walkFile(file: Hdf5File, openExternal: OpenExternal): Promise<Found> {
  const found: Found = { datasets: [], groups: new Map(), problems: [] };
  const seen = new Set<string>();
  const stack: Visit[] = [{ file, address: file.root, path: "" }];
  const aliases: Visit[] = [];
  const turns = new Turns();
  for (let visit = stack.pop(); visit; visit = stack.pop() ?? aliases.shift()) {
    const key = `${visit.file.name} ${visit.address}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (turns.due) await turns.give(); // an abort is heard
    if (seen.size > MOST_OBJECTS) {
      throw cannot("list", file.name, "unsupported", `it has more than ${MOST_OBJECTS} objects`);
    }
    const targets: Visit[] = [];
    for (const link of await enter(visit, found)) {
      const path = `${visit.path}/${link.name}`;
      const target = link.kind === "hard"
        ? { file: visit.file, address: link.address, path }
        : await follow(visit.file, link, path, openExternal, found.problems);
      if (target) (link.kind === "hard" ? targets : aliases).push(target);
    }
    targets.sort((a, b) => a.path < b.path ? 1 : -1); // the first by name is taken first
    for (const target of targets) stack.push(target);
  }
  found.datasets.sort((a, b) => a.path < b.path ? -1 : 1);
  return found;
}

/** Notes a data set, or gives the links of a group. */
async function enter({ file, address, path }: Visit, found: Found): Promise<Link[]> {
  const messages = await readMessages(file, address);
  if (isGroup(messages)) {
    const attributes = await readAttributes(file, messages);
    if (Object.keys(attributes).length > 0) found.groups.set(path || "/", attributes);
    return await readLinks(file, messages);
  }
  if (!messages.some(({ type }) => type === MESSAGE.layout)) return [];
  try {
    found.datasets.push(await describe(file, path, messages, address));
  } catch (error) {
    if (!isTilewiseError(error, "unsupported")) throw error;
    found.problems.push({ path, text: `${path}: ${error.message}` });
  }
  return [];
}

/** The object that a soft or external link leads to. */
async function follow(
  file: Hdf5File,
  link: Exclude<Link, { kind: "hard" }>,
  path: string,
  openExternal: OpenExternal,
  problems: Problem[],
): Promise<Visit | undefined> {
  const target = link.kind === "soft" ? file : await linked(link.file, file, path, openExternal, problems);
  if (target === null) return undefined;
  const place = link.kind === "external" ? `${link.path} of ${link.file}` : link.path;
  const parent = path.replace(/\/[^/]*$/, "");
  const full = link.kind === "soft" && !link.path.startsWith("/") ? `${parent}/${link.path}` : link.path;
  const address = target && await resolve(target, full, openExternal);
  if (target && address !== undefined) return { file: target, address, path };
  const isLost = link.kind === "external";
  problems.push({ path, text: `${path} leads to ${place}, which is not there`, isLost });
  return undefined;
}

/** The file of an external link; `null` where the link leads out of the folder, which is noted. */
async function linked(
  name: string,
  from: Hdf5File,
  path: string,
  openExternal: OpenExternal,
  problems: Problem[],
): Promise<Hdf5File | undefined | null> {
  try {
    return await openExternal(name, from);
  } catch (error) {
    if (!isOutside(error)) throw error;
    problems.push({ path, text: `${path}: ${error.message}`, isLost: true });
    return null;
  }
}

/** The address of the object at `path`; `undefined` if it is missing, or lies in another file. */
export async function resolve(
  file: Hdf5File,
  path: string,
  openExternal: OpenExternal,
  hops = 0,
): Promise<number | undefined> {
  let address: number | undefined = file.root;
  let here = "";
  for (const name of path.split("/").filter((part) => part !== "" && part !== ".")) {
    const link: Link | undefined = (await membersOf(file, address)).get(name);
    if (!link || link.kind === "external" || hops >= MOST_HOPS) return undefined;
    const next: string = link.kind === "soft" && !link.path.startsWith("/") ? `${here}/${link.path}` : "";
    address = link.kind === "hard"
      ? link.address
      : await resolve(file, next || link.path, openExternal, hops + 1);
    if (address === undefined) return undefined;
    here += `/${name}`;
  }
  return address;
}

/** Members of groups that paths lead through, by file and address: many links lead through the same ones. */
const members = new WeakMap<Hdf5File, Map<number, Promise<ReadonlyMap<string, Link>>>>();

function membersOf(file: Hdf5File, address: number): Promise<ReadonlyMap<string, Link>> {
  const known = members.get(file) ?? new Map<number, Promise<ReadonlyMap<string, Link>>>();
  members.set(file, known);
  let links = known.get(address);
  if (!links) known.set(address, links = readMembers(file, address));
  return links;
}

async function readMembers(file: Hdf5File, address: number): Promise<ReadonlyMap<string, Link>> {
  const links = await readLinks(file, await readMessages(file, address));
  return new Map(links.reverse().map((link) => [link.name, link])); // the first of a name counts
}

/** Types of the messages that describe a data set. */
const DESCRIBING = [
  MESSAGE.dataspace,
  MESSAGE.datatype,
  MESSAGE.layout,
  MESSAGE.filters,
  MESSAGE.fill,
  MESSAGE.oldFill,
];

/** The data set with these messages. */
export async function describe(
  file: Hdf5File,
  path: string,
  messages: readonly Message[],
  address: number,
): Promise<Hdf5Dataset> {
  const [space, type, layout, filters, fill, oldFill] = await findMessages(file, messages, DESCRIBING);
  if (!space || !type || !layout) {
    const text = `Cannot read ${path} of ${file.name}: it has no ${
      !space ? "shape" : !type ? "datatype" : "layout"
    }`;
    throw new TilewiseError("malformed", text, { file: file.name });
  }
  return {
    file,
    path,
    address,
    type: readType(type),
    space: readDataspace(file, space),
    layout: readLayout(file, layout),
    filters: filters ? readFilters(filters) : [],
    fill: (fill && readFill(fill)) ?? (oldFill && readOldFill(oldFill)),
    isExternal: messages.some(({ type }) => type === MESSAGE.externalFiles),
    messages,
  };
}
