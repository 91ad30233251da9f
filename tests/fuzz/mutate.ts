/**
 * Damage to files: every kind that real ones have, and the numbers at which parsers stumble.
 *
 * @module
 */

import { mulberry32 } from "../kernels/call.ts";

/** A change of bytes; a list of them makes a damaged file of a good one, always the same. */
export type Mutation =
  | { readonly kind: "flip"; readonly at: number; readonly bit: number }
  | { readonly kind: "number"; readonly at: number; readonly bytes: number; readonly value: bigint }
  | { readonly kind: "cut"; readonly at: number }
  | { readonly kind: "remove"; readonly at: number; readonly length: number }
  | { readonly kind: "copy"; readonly from: number; readonly at: number; readonly length: number }
  | { readonly kind: "insert"; readonly from: number; readonly at: number; readonly length: number }
  | { readonly kind: "fill"; readonly at: number; readonly length: number; readonly value: number };

/** Numbers on edges: of signs, of types, of memory. */
const EDGES = [
  0n,
  1n,
  2n,
  0x7fn,
  0x80n,
  0xffn,
  0x100n,
  0x7fffn,
  0x8000n,
  0xffffn,
  0x10000n,
  0x7fffffffn,
  0x80000000n,
]
  .concat([
    0xfffffffen,
    0xffffffffn,
    0x100000000n,
    2n ** 53n,
    2n ** 62n,
    2n ** 63n,
    2n ** 64n - 1n,
    2n ** 64n - 8n,
  ]);

/** Some mutations of a file of `length` bytes, by the seed; most of them where headers are. */
export function mutations(length: number, seed: number): Mutation[] {
  const random = mulberry32(seed);
  const below = (n: number) => Math.floor(random() * Math.max(1, n));
  const place = () => random() < 0.6 ? below(Math.min(length, 2048)) : below(length);
  const one = (): Mutation => {
    const at = place();
    const length = 1 + below([4, 16, 64, 1024][below(4)]!);
    switch (below(12)) {
      case 0:
        return { kind: "cut", at: random() < 0.5 ? at : below(length) };
      case 1:
        return { kind: "remove", at, length };
      case 2:
        return { kind: "copy", from: place(), at, length };
      case 3:
        return { kind: "insert", from: place(), at, length };
      case 4:
        return { kind: "fill", at, length, value: [0, 0xff, 0x20, 0x30][below(4)]! };
      case 5:
      case 6:
      case 7:
      case 8:
        return number(at);
      default:
        return { kind: "flip", at, bit: below(8) };
    }
  };
  const number = (at: number): Mutation => {
    const bytes = [1, 2, 4, 8][below(4)]!;
    const value = BigInt.asUintN(8 * bytes, EDGES[below(EDGES.length)]! + (random() < 0.2 ? -1n : 0n));
    const aligned = random() < 0.5 ? at - at % bytes : at;
    const isBig = random() < 0.3;
    return { kind: "number", at: aligned, bytes, value: isBig ? reversed(value, bytes) : value };
  };
  return Array.from({ length: 1 + below(random() < 0.5 ? 2 : 8) }, one);
}

function reversed(value: bigint, bytes: number): bigint {
  let out = 0n;
  for (let i = 0; i < bytes; i++) out = out << 8n | value >> BigInt(8 * i) & 0xffn;
  return out;
}

/** The damaged file. */
export function apply(bytes: Uint8Array, changes: readonly Mutation[]): Uint8Array<ArrayBuffer> {
  let out: Uint8Array<ArrayBuffer> = bytes.slice();
  for (const change of changes) {
    if (change.kind === "cut") out = out.slice(0, change.at);
    else if (change.kind === "remove") out = splice(out, change.at, change.length, new Uint8Array(0));
    else if (change.kind === "insert") {
      out = splice(out, change.at, 0, out.slice(change.from, change.from + change.length));
    } else overwrite(out, change);
  }
  return out;
}

type Overwrite = Exclude<Mutation, { kind: "cut" | "remove" | "insert" }>;

function overwrite(out: Uint8Array, change: Overwrite): void {
  switch (change.kind) {
    case "flip":
      if (change.at < out.length) out[change.at]! ^= 1 << change.bit;
      return;
    case "fill":
      out.fill(change.value, change.at, change.at + change.length);
      return;
    case "copy":
      out.copyWithin(change.at, change.from, change.from + change.length);
      return;
    case "number":
      for (let i = 0; i < change.bytes && change.at + i < out.length; i++) {
        out[change.at + i] = Number(change.value >> BigInt(8 * i) & 0xffn);
      }
  }
}

function splice(
  bytes: Uint8Array,
  at: number,
  remove: number,
  insert: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const rest = bytes.subarray(Math.min(bytes.length, at + remove));
  const head = bytes.subarray(0, at);
  const out = new Uint8Array(head.length + insert.length + rest.length);
  out.set(head);
  out.set(insert, head.length);
  out.set(rest, head.length + insert.length);
  return out;
}
