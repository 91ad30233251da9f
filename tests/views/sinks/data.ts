/** Arrays for tests of sinks, and the slow twin of a level. */

import { open } from "../../../src/formats/open.ts";
import { sha256Of } from "../../../src/io/hash.ts";
import { type DType, dtypeInfo, type TypedArray, zeros } from "../../../src/space/dtype.ts";
import { ravel, type Shape, sizeOf, unravel } from "../../../src/space/shape.ts";
import { arrayOf, type ArraySpec } from "../../../src/views/array.ts";
import type { LevelReduction } from "../../../src/sinks/chunks/reduce.ts";

/** Samples of `shape` that look like noise over a slope; a part of them is 0. */
export function samplesOf(shape: Shape, dtype: DType): TypedArray {
  const data = zeros(dtype, sizeOf(shape));
  const { kind } = dtypeInfo(dtype);
  for (let i = data.length >> 2; i < data.length; i++) {
    const value = (i * 7919 >> 3) % 101 + (i >> 4) % 90 - (kind === "i" ? 60 : 0);
    if (data instanceof BigInt64Array || data instanceof BigUint64Array) data[i] = BigInt(value);
    else data[i] = kind === "b" ? value & 1 : kind === "f" || kind === "c" ? value / 8 : value;
  }
  return data;
}

/** An array with these samples. */
export async function arrayWith(shape: Shape, dtype: DType): Promise<ArraySpec & { samples: TypedArray }> {
  const samples = samplesOf(shape, dtype);
  const spec = arrayOf(await open({ data: samples as never, shape, dtype } as never));
  return { ...spec, samples };
}

/** The next level by definition: each sample from those under it. */
export function halved(data: TypedArray, dtype: DType, shape: Shape, factors: Shape, how: LevelReduction) {
  const parts = dtypeInfo(dtype).kind === "c" ? 2 : 1;
  const small = shape.map((n, d) => Math.ceil(n / factors[d]!));
  const out = zeros(dtype, sizeOf(small));
  const isWhole = "bui".includes(dtypeInfo(dtype).kind);
  for (let i = 0; i < out.length; i++) {
    const at = unravel(Math.floor(i / parts), small).map((p, d) => p * factors[d]!);
    const under: number[] = [];
    for (let n = 0; n < sizeOf(factors); n++) {
      const place = unravel(n, factors).map((p, d) => p + at[d]!);
      if (place.every((p, d) => p < shape[d]!)) {
        under.push(Number(data[ravel(place, shape) * parts + i % parts]));
      }
    }
    const mean = under.reduce((sum, value) => sum + value, 0) / under.length;
    const down = Math.floor(mean);
    const even = mean - down === 0.5 ? down + (down % 2 === 0 ? 0 : 1) : Math.round(mean);
    const value = how === "nearest" ? under[0]! : how === "max" ? Math.max(...under) : isWhole ? even : mean;
    out[i] = (out instanceof BigInt64Array || out instanceof BigUint64Array ? BigInt(value) : value) as never;
  }
  return { data: out, shape: small };
}

/** A digest of a file, or of all that is in a folder. */
export async function digestOf(path: string): Promise<string> {
  if ((await Deno.stat(path)).isFile) return await sha256Of([await Deno.readFile(path)]);
  const names = [...Deno.readDirSync(path)].map(({ name }) => name).sort();
  const parts = await Promise.all(
    names.map(async (name) => `${name} ${await digestOf(`${path}/${name}`)}\n`),
  );
  return await sha256Of([new TextEncoder().encode(parts.join(""))]);
}

/** Calls `body` with a folder that is removed afterwards. */
export async function withFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "tilewise-sinks-" });
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
