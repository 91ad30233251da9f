/**
 * The members of a group: links by name, however the file keeps them.
 *
 * @module
 */

import { leaves, treeRecords } from "./btrees.ts";
import type { Cursor } from "./cursor.ts";
import type { Hdf5File } from "./file.ts";
import { FractalHeap, heapText, readLocalHeap } from "./heaps.ts";
import { findMessage, MESSAGE, type Message } from "./object_header.ts";

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
