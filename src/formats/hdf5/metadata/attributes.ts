/**
 * Attributes of HDF5 objects, as plain values: numbers, texts, and lists of them.
 *
 * @module
 */

import { numbersOf } from "../../common/numbers_of.ts";
import { treeRecords } from "./btrees.ts";
import { type Cursor, decodeText } from "./cursor.ts";
import { type Hdf5Type, readType, sampleType } from "./datatype.ts";
import type { Hdf5File } from "./file.ts";
import { FractalHeap, readGlobalObject } from "./heaps.ts";
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
  const sample = sampleType(type);
  if (!sample) return null;
  const numbers = numbersOf(body.bytes, sample.dtype, sample.byteOrder);
  const plain = Array.from(
    numbers as ArrayLike<number | bigint>,
    (value) => sample.dtype === "bool" ? value !== 0 : typeof value === "bigint" ? safe(value) : value,
  );
  return plain.length === 1 ? plain[0]! : plain;
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
