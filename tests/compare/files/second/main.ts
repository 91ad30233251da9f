/**
 * A process in which geotiff.js and zarrita.js read files: a line of JSON per file on stdin, digests of its arrays on stdout.
 * geotiff.js 3.0.5 can end the process, so it has one of its own.
 *
 * @module
 */

import { fromArrayBuffer } from "geotiff";
import * as zarr from "zarrita";
import { dtypeInfo, type TypedArray, typedArray } from "../../../../src/space/dtype.ts";
import { sizeOf } from "../../../../src/space/shape.ts";
import { sha256 } from "../../../formats/read_all.ts";
import type { Told } from "../maker.ts";
import type { Answer, Question } from "./second.ts";

/** Digest of numbers as samples of the type that was told. */
function digestOf(values: ArrayLike<number | bigint>, { dtype }: Told): string {
  const { kind, itemSize } = dtypeInfo(dtype as Parameters<typeof dtypeInfo>[0]);
  const parts = kind === "c" ? 2 : 1;
  const type = (kind === "c" ? (itemSize === 8 ? "float32" : "float64") : dtype) as Parameters<
    typeof dtypeInfo
  >[0];
  const size = dtypeInfo(type).itemSize;
  const bytes = new ArrayBuffer(values.length * size);
  const samples = typedArray(type, bytes, 0, values.length) as unknown as Record<number, number | bigint>;
  const isBig = dtype === "int64" || dtype === "uint64";
  for (let i = 0; i < values.length; i++) samples[i] = isBig ? BigInt(values[i]!) : Number(values[i]);
  return parts > 0 ? sha256(new Uint8Array(bytes)) : "";
}

async function byGeotiff({ path, arrays }: Question): Promise<Answer> {
  const file = await fromArrayBuffer((await Deno.readFile(path)).buffer);
  const found: Record<string, string> = {};
  for (const told of arrays) {
    try {
      if (told.page === null) throw new Error("pages below others are not asked for");
      const image = await file.getImage(told.page ?? Number(told.name.replace("ifd", "")));
      const values = await image.readRasters({ interleave: true }) as unknown as TypedArray;
      found[told.name] = digestOf(values as ArrayLike<number | bigint>, told);
    } catch (error) {
      found[told.name] = `refuses: ${messageOf(error)}`;
    }
  }
  return found;
}

/** The files of a folder. */
class Folder {
  constructor(private readonly path: string) {}

  /** The entry `key`; nothing if there is none. */
  async get(key: string): Promise<Uint8Array | undefined> {
    return await Deno.readFile(this.path + key).catch(() => undefined);
  }
}

async function byZarrita({ path, arrays }: Question): Promise<Answer> {
  const found: Record<string, string> = {};
  for (const told of arrays) {
    try {
      const root = zarr.root(new Folder(path) as unknown as zarr.AsyncReadable);
      const array = await zarr.open(told.name === "/" ? root : root.resolve(told.name), { kind: "array" });
      const { data, shape, stride } = await zarr.get(array) as zarr.Chunk<zarr.DataType>;
      found[told.name] = digestOf(inOrder(data as never, shape, stride), told);
    } catch (error) {
      found[told.name] = `refuses: ${messageOf(error)}`;
    }
  }
  return found;
}

/** Samples in C order. */
function inOrder(data: { get?(i: number): unknown }, shape: readonly number[], stride: readonly number[]) {
  const count = sizeOf(shape);
  const values: (number | bigint)[] = [];
  for (let i = 0; i < count; i++) {
    let rest = i, at = 0;
    for (let d = shape.length - 1; d >= 0; d--) {
      at += rest % shape[d]! * stride[d]!;
      rest = Math.floor(rest / shape[d]!);
    }
    const value = data.get ? data.get(at) : (data as unknown as Record<number, unknown>)[at];
    if (typeof value === "object" && value !== null) {
      const { re, im } = value as { re: number; im: number };
      values.push(re, im);
    } else values.push(typeof value === "bigint" ? value : Number(value));
  }
  return values;
}

function messageOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 120);
}

async function main(): Promise<void> {
  globalThis.addEventListener("unhandledrejection", (event) => event.preventDefault()); // of chunks behind the first one
  let rest = "";
  for await (const chunk of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) {
      const question = JSON.parse(line) as Question;
      const read = question.kind === "tiff" ? byGeotiff : byZarrita;
      const answer = await read(question).catch((error: unknown) => ({
        "": `refuses: ${messageOf(error)}`,
      }));
      await Deno.stdout.write(new TextEncoder().encode(JSON.stringify(answer) + "\n"));
    }
  }
}

await main();
