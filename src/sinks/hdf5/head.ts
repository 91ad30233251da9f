/**
 * Everything in an HDF5 file in front of the samples of its arrays, which follow as they are: so workers write them to their
 * places, like those of a `.npy`.
 *
 * ```
 * superblock₄₈  object headers of groups and arrays …  heap of texts  small arrays …  samples
 * ```
 * Groups keep their links in their headers, arrays are contiguous. h5py, HyperSpy and all readers since HDF5 1.8 know these
 * structures. Source: the HDF5 file format specification, version 3.0.
 *
 * @module
 */

import { roundUp } from "../../memory/arena.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { attribute, type AttributeValue, Bytes, Heap, space, typeOf } from "./types.ts";
import { lookup3 } from "./lookup3.ts";

/** Attributes by name. */
type Attributes = Readonly<Record<string, AttributeValue>>;

/** A group. */
export interface Hdf5Group {
  readonly attributes?: Attributes;
  /** What is in it, by name. */
  readonly members: Readonly<Record<string, Hdf5Group | Hdf5Array>>;
}

/** An array. */
export interface Hdf5Array {
  readonly attributes?: Attributes;
  readonly shape: Shape;
  readonly dtype: DType;
  /** Its bytes; absent: samples that follow the head, those of several arrays in the order of the groups. */
  readonly data?: Uint8Array;
}

/** Samples of arrays that follow each other begin at multiples of this; it suits all types of samples. */
export const UNIT = 64;
const NOWHERE = 2n ** 64n - 1n;
const SIGNATURE = Uint8Array.of(0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a);
/** Kinds of messages in object headers. */
const [SPACE, LINK_INFO, TYPE, FILL, LINK, LAYOUT, GROUP_INFO, ATTRIBUTE] = [1, 2, 3, 5, 6, 8, 10, 12];

type Message = readonly [kind: number, body: Uint8Array];

/** Where objects, texts and small arrays lie. */
interface Places {
  readonly objects: ReadonlyMap<Hdf5Group | Hdf5Array, number>;
  readonly data: ReadonlyMap<Hdf5Array, number>;
  readonly heap: Heap;
}

/** The head of a file. Its length does not depend on positions, so that it is made twice: to measure, and with the positions. */
export function hdf5Head(root: Hdf5Group): Uint8Array<ArrayBuffer> {
  const all = [...objectsOf(root)];
  let places: Places = { objects: new Map(), data: new Map(), heap: new Heap(0) };
  const headers = () => all.map((one) => headerOf(one, places));
  const objects = new Map<Hdf5Group | Hdf5Array, number>();
  let end = 48;
  for (const [n, header] of headers().entries()) {
    objects.set(all[n]!, end);
    end = roundUp(end + header.length, 8);
  }
  const texts = places.heap.done().length;
  const data = new Map<Hdf5Array, number>();
  const heapAt = end;
  end += texts;
  for (const one of all) {
    if ("members" in one || !one.data) continue;
    data.set(one, end = roundUp(end, 8));
    end += one.data.length;
  }
  const file = new Uint8Array(end = roundUp(end, UNIT));
  for (const one of all) {
    if ("members" in one || one.data) continue;
    data.set(one, end = roundUp(end, UNIT));
    end += bytesOf(one);
  }
  places = { objects, data, heap: new Heap(heapAt) };
  headers().forEach((header, n) => file.set(header, objects.get(all[n]!)!));
  file.set(places.heap.done(), heapAt);
  for (const [one, at] of data) if (one.data) file.set(one.data, at);
  file.set(superblock(end, objects.get(root)!));
  return file;
}

function* objectsOf(object: Hdf5Group | Hdf5Array): Generator<Hdf5Group | Hdf5Array> {
  yield object;
  if ("members" in object) { for (const one of Object.values(object.members)) yield* objectsOf(one); }
}

function superblock(end: number, root: number): Uint8Array {
  const bytes = new Bytes().add(SIGNATURE).put(2, 1).put(8, 1).put(8, 1).put(0, 1);
  return summed(bytes.put(0, 8).put(NOWHERE, 8).put(end, 8).put(root, 8));
}

/** Adds the checksum of what is there. */
function summed(bytes: Bytes): Uint8Array {
  return bytes.put(lookup3(bytes.done()), 4).done();
}

function headerOf(object: Hdf5Group | Hdf5Array, places: Places): Uint8Array {
  const own = "members" in object ? groupMessages(object, places) : arrayMessages(object, places);
  const more = Object.entries(object.attributes ?? {}).map(([name, value]): Message => {
    return [ATTRIBUTE, attribute(name, value, places.heap)];
  });
  const messages = new Bytes();
  for (const [kind, body] of [...own, ...more]) messages.put(kind, 1).put(body.length, 2).put(0, 1).add(body);
  const bytes = new Bytes().add(new TextEncoder().encode("OHDR")).put(2, 1).put(2, 1).put(messages.length, 4);
  return summed(bytes.add(messages.done()));
}

function groupMessages({ members }: Hdf5Group, { objects }: Places): Message[] {
  const links = Object.entries(members).map(([name, member]): Message => {
    const text = new TextEncoder().encode(name);
    const head = new Bytes().put(1, 1).put(0x11, 1).put(1, 1).put(text.length, 2); // a hard link, UTF-8
    return [LINK, head.add(text).put(objects.get(member) ?? 0, 8).done()];
  });
  const info = new Bytes().put(0, 2).put(NOWHERE, 8).put(NOWHERE, 8).done();
  return [[LINK_INFO, info], [GROUP_INFO, new Uint8Array(2)], ...links];
}

function arrayMessages(array: Hdf5Array, { data }: Places): Message[] {
  const bytes = bytesOf(array);
  const at = bytes > 0 ? data.get(array) ?? 0 : NOWHERE;
  return [
    [SPACE, space(array.shape)],
    [TYPE, typeOf(array.dtype)],
    [FILL, Uint8Array.of(3, 0x0a)], // zeros, written if somebody asks for them
    [LAYOUT, new Bytes().put(3, 1).put(1, 1).put(at, 8).put(bytes, 8).done()],
  ];
}

function bytesOf({ shape, dtype }: Hdf5Array): number {
  return sizeOf([...shape, dtypeInfo(dtype).itemSize]);
}
