/**
 * Members of groups, and attributes of HDF5 objects, as plain values: numbers, texts, and lists of them.
 *
 * @module
 */

import { numbersOf } from "../../common/first_samples.ts";
import { leaves, treeRecords } from "./btrees.ts";
import { type Cursor, decodeText } from "./cursor.ts";
import { type Hdf5Type, readType, sampleType } from "./datatype.ts";
import type { Hdf5File } from "./file.ts";
import { FractalHeap, heapText, readGlobalObject, readLocalHeap } from "./heaps.ts";
import { type Dataspace, readDataspace } from "./messages.ts";
import { findMessage, heapBody, MESSAGE, type Message, sharedBody } from "./object_header.ts";

/** A value that JSON can say. */
export type PlainValue = string | number | boolean | null | readonly PlainValue[];

/** The attributes of an object by name. */
export type Attributes = Readonly<Record<string, PlainValue>>;

/** Elements of a value that are read: attributes are for facts, not for data. */
const MOST_ELEMENTS = 4096;

/** All attributes of the object with these messages. */
export async function readAttributes(file: Hdf5File, messages: readonly Message[]): Promise<Attributes> {
  const found: Record<string, PlainValue> = {};
  const add = async (body: Cursor) => {
    const [name, value] = await attribute(file, body);
    Object.defineProperty(found, name, { value, enumerable: true, configurable: true });
  };
  for (const { type, body, shared } of messages) {
    if (type !== MESSAGE.attribute) continue;
    body.position = 0;
    await add(shared ? await sharedBody(file, body, type) : body);
  }
  const info = await findMessage(file, messages, MESSAGE.attributeInfo);
  if (info) { for await (const body of denseAttributes(file, info)) await add(body); }
  return found;
}

async function* denseAttributes(file: Hdf5File, info: Cursor): AsyncGenerator<Cursor> {
  info.version("attribute information", 0);
  if (info.u8() & 1) info.skip(2);
  const heapAddress = file.address(info);
  const tree = file.address(info);
  if (heapAddress === undefined || tree === undefined) return;
  const heap = await FractalHeap.open(file, heapAddress);
  for await (const records of treeRecords(file, tree)) {
    for (const record of records) {
      const id = record.part(heap.idLength);
      const isShared = (record.u8() & 2) !== 0;
      yield isShared ? await heapBody(file, id, MESSAGE.attribute) : await heap.get(id);
    }
  }
}

async function attribute(file: Hdf5File, body: Cursor): Promise<[string, PlainValue]> {
  const version = body.version("an attribute", 1, 2, 3);
  const flags = body.u8();
  const [nameBytes, typeBytes, spaceBytes] = [body.u16(), body.u16(), body.u16()];
  if (version === 3) body.skip(1);
  const padded = (bytes: number) => body.part(version === 1 ? bytes + (8 - bytes % 8) % 8 : bytes);
  const name = decodeText(padded(nameBytes).bytes);
  const typeBody = padded(typeBytes);
  const type = readType(flags & 1 ? await sharedBody(file, typeBody, MESSAGE.datatype) : typeBody);
  const spaceBody = padded(spaceBytes);
  const space = readDataspace(
    file,
    flags & 2 ? await sharedBody(file, spaceBody, MESSAGE.dataspace) : spaceBody,
  );
  return [name, await plainValue(file, type, space, body)];
}

/** The elements at the cursor as plain values; `null` for kinds that JSON has no word for. */
export async function plainValue(
  file: Hdf5File,
  type: Hdf5Type,
  { shape, empty }: Dataspace,
  body: Cursor,
): Promise<PlainValue> {
  const count = empty ? 0 : shape.reduce((product, n) => product * n, 1);
  const values: PlainValue[] = [];
  for (let i = 0; i < Math.min(count, MOST_ELEMENTS); i++) {
    values.push(await element(file, type, body.part(type.size)));
  }
  return shape.length === 0 && count === 1 ? values[0]! : values;
}

async function element(file: Hdf5File, type: Hdf5Type, body: Cursor): Promise<PlainValue> {
  if (type.kind === "string") return decodeText(body.bytes).trimEnd();
  if (type.kind === "text") return await longText(file, body);
  if (type.kind === "sequence" && type.base?.kind === "reference") {
    return await references(file, type.base, body);
  }
  const sample = sampleType(type);
  if (!sample) return null;
  const numbers = numbersOf(body.bytes, sample.dtype, sample.byteOrder);
  const plain = Array.from(
    numbers as ArrayLike<number | bigint>,
    (value) => sample.dtype === "bool" ? value !== 0 : typeof value === "bigint" ? safe(value) : value,
  );
  return plain.length === 1 ? plain[0]! : plain;
}

/** A list of references to objects, as their addresses. */
async function references(file: Hdf5File, { size }: Hdf5Type, body: Cursor): Promise<PlainValue> {
  const count = body.u32();
  const heap = file.address(body);
  const index = body.u32();
  if (count === 0 || !heap || size !== file.offsetSize) return [];
  const list = await readGlobalObject(file, heap, index);
  return Array.from({ length: Math.min(count, MOST_ELEMENTS) }, () => file.address(list) ?? null);
}

function safe(value: bigint): number | string {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}

async function longText(file: Hdf5File, body: Cursor): Promise<string> {
  const length = body.u32();
  const address = file.address(body);
  const index = body.u32();
  if (length === 0 || !address) return "";
  return decodeText((await readGlobalObject(file, address, index)).bytes.subarray(0, length));
}

// The members of a group: links by name, however the file keeps them.

/** Where a member of a group is. */
export type Link =
  | { readonly name: string; readonly kind: "hard"; readonly address: number }
  | { readonly name: string; readonly kind: "soft"; readonly path: string }
  | { readonly name: string; readonly kind: "external"; readonly file: string; readonly path: string };

/** Most members of a group that are listed. */
const MOST_LINKS = 100_000;

/** All links of the group with these messages, in the order of the file; nothing for what is not a group. */
export async function readLinks(file: Hdf5File, messages: readonly Message[]): Promise<Link[]> {
  const links: Link[] = [];
  const add = (link: Link | undefined, at: Cursor) => {
    if (links.length >= MOST_LINKS) {
      throw at.error("unsupported", `a group has more than ${MOST_LINKS} members`);
    }
    if (link) links.push(link);
  };
  for (const { type, body } of messages) {
    if (type === MESSAGE.link) add(linkAt(file, body), body);
  }
  const table = await findMessage(file, messages, MESSAGE.symbolTable);
  if (table) { for await (const some of oldMembers(file, table)) some.forEach((link) => add(link, table)); }
  const info = await findMessage(file, messages, MESSAGE.linkInfo);
  if (info) { for await (const some of denseMembers(file, info)) some.forEach((link) => add(link, info)); }
  return links;
}

/** Whether an object with these messages is a group. */
export function isGroup(messages: readonly Message[]): boolean {
  return messages.some(({ type }) =>
    type === MESSAGE.symbolTable || type === MESSAGE.linkInfo || type === MESSAGE.link
  );
}

/** The link in a link message; `undefined` for user-defined kinds. */
function linkAt(file: Hdf5File, body: Cursor): Link | undefined {
  body.position = 0;
  body.version("a link", 1);
  const flags = body.u8();
  const kind = flags & 8 ? body.u8() : 0;
  if (flags & 4) body.skip(8); // order of creation
  if (flags & 16) body.skip(1); // character set
  const name = body.text(body.uint(1 << (flags & 3)));
  if (kind === 0) return { name, kind: "hard", address: file.knownAddress(body, `"${name}"`) };
  if (kind === 1) return { name, kind: "soft", path: body.text(body.u16()) };
  if (kind !== 64) return undefined;
  const value = body.part(body.u16());
  value.skip(1);
  return { name, kind: "external", file: value.textToZero(), path: value.textToZero() };
}

/** Members of a group with a symbol table, those of a node together. */
async function* oldMembers(file: Hdf5File, table: Cursor): AsyncGenerator<Link[]> {
  const tree = file.knownAddress(table, "the tree of a group");
  const heap = await readLocalHeap(file, file.knownAddress(table, "the names of a group"));
  for await (const nodes of leaves(file, tree, 0, file.lengthSize)) {
    for (const { address } of nodes) yield await symbols(file, address, heap);
  }
}

/** The members that a node of a symbol table names. */
async function symbols(file: Hdf5File, address: number, heap: Cursor): Promise<Link[]> {
  const head = await file.read(address, 8);
  head.signature("SNOD");
  head.version("a symbol table node", 1);
  head.skip(1);
  const count = head.u16();
  const body = await file.read(address + 8, count * (file.lengthSize + file.offsetSize + 24));
  const links: Link[] = [];
  for (let i = 0; i < count; i++) {
    const name = heapText(heap, body.uint(file.lengthSize));
    const object = file.address(body);
    const cache = body.u32();
    body.skip(4);
    const scratch = body.part(16);
    if (cache === 2) links.push({ name, kind: "soft", path: heapText(heap, scratch.u32()) });
    else if (object !== undefined) links.push({ name, kind: "hard", address: object });
  }
  return links;
}

/** Members of a group that keeps them in a fractal heap, those of a leaf together. */
async function* denseMembers(file: Hdf5File, info: Cursor): AsyncGenerator<Link[]> {
  info.version("link information", 0);
  const flags = info.u8();
  if (flags & 1) info.skip(8);
  const heapAddress = file.address(info);
  const tree = file.address(info);
  if (heapAddress === undefined || tree === undefined) return;
  const heap = await FractalHeap.open(file, heapAddress);
  for await (const records of treeRecords(file, tree)) {
    const links: Link[] = [];
    for (const record of records) {
      record.skip(4); // hash of the name
      const link = linkAt(file, await heap.get(record.part(heap.idLength)));
      if (link) links.push(link);
    }
    yield links;
  }
}
