/**
 * Masks and correction frames for the benches, in files that every contestant reads.
 *
 * @module
 */

import { join } from "@std/path";
import { npyHeader } from "../src/sinks/npy/npy_header.ts";
import { randomBits, SIDE } from "./counts.ts";
import { bytesOf, dataFolder, sizeOf, writeAll, writeWhole } from "./files.ts";
import { type BenchLattice, benchLattice } from "./lattice.ts";

/** The masks and correction frames that every contestant uses, as paths of `.npy` files, and the lattice of the disks. */
export interface BenchAux {
  /** 64 dense masks, uniform in [0, 1), shape (64, 256, 256), float32 as all but the complex ones. */
  readonly masksDense: string;
  /** 64 masks of zeros and ones: 32 rings around the centre, then 32 disks, shape (64, 256, 256). */
  readonly masksRings: string;
  /** 64 small disks on a lattice, of 49 pixels each, shape (64, 256, 256). */
  readonly masksSmall: string;
  /** 16 dense complex masks, uniform in [−1, 1) + [−1, 1) i, shape (16, 256, 256), complex64. */
  readonly masksComplex: string;
  /** A dark frame, in [0, 2), shape (256, 256). */
  readonly dark: string;
  /** A gain frame, in [0.8, 1.2), shape (256, 256). */
  readonly gain: string;
  /** Where disks are looked for in the data of that kind. */
  readonly lattice: BenchLattice;
}

const VERSION = "v1"; // a change of the values is a change of this name

/** Makes the masks and correction frames unless they are there already. */
export async function benchAux(dir: string = dataFolder()): Promise<BenchAux> {
  const folder = join(dir, VERSION);
  await Deno.mkdir(folder, { recursive: true });
  const save = async (
    name: string,
    shape: readonly number[],
    fill: (out: Float32Array) => void,
    dtype: "float32" | "complex64" = "float32",
  ) => {
    const path = join(folder, `${name}.npy`);
    const header = npyHeader(dtype, shape);
    const floats = shape.reduce((product, n) => product * n, dtype === "float32" ? 1 : 2);
    if (await sizeOf(path) === header.length + floats * 4) return path;
    const values = new Float32Array(floats);
    fill(values);
    await writeWhole(path, (file) => (writeAll(file, header), writeAll(file, bytesOf(values))));
    return path;
  };
  const stack = [64, SIDE, SIDE], complex = [16, SIDE, SIDE], frame = [SIDE, SIDE];
  return {
    masksDense: await save("masks_dense", stack, (out) => fillUniform(out, 11, 0, 1)),
    masksRings: await save("masks_rings", stack, fillRings),
    masksSmall: await save("masks_small", stack, fillSmall),
    masksComplex: await save("masks_complex", complex, (out) => fillUniform(out, 14, -1, 1), "complex64"),
    dark: await save("dark", frame, (out) => fillUniform(out, 12, 0, 2)),
    gain: await save("gain", frame, (out) => fillUniform(out, 13, 0.8, 1.2)),
    lattice: benchLattice(),
  };
}

/** Disks of radius 4 around the points of a lattice of 8 × 8. */
function fillSmall(out: Float32Array): void {
  for (let disk = 0; disk < 64; disk++) {
    const [cy, cx] = [16 + 32 * (disk >> 3), 16 + 32 * (disk & 7)];
    for (let y = cy - 4; y <= cy + 4; y++) {
      for (let x = cx - 4; x <= cx + 4; x++) {
        if (Math.hypot(y - cy, x - cx) <= 4) out[(disk * SIDE + y) * SIDE + x] = 1;
      }
    }
  }
}

/** Rings of 2 to 5 pixels that tile the disk of radius 112, then disks of radius 6 to 20 on a lattice. */
function fillRings(out: Float32Array): void {
  const inside = (plane: number, test: (y: number, x: number) => boolean) => {
    for (let i = 0; i < SIDE * SIDE; i++) out[plane * SIDE * SIDE + i] = test(i >> 8, i & 255) ? 1 : 0;
  };
  for (let ring = 0; ring < 32; ring++) {
    const radius = 3.5 * ring;
    inside(ring, (y, x) => {
      const r = Math.hypot(y - 128, x - 128);
      return r >= radius && r < radius + 3.5;
    });
  }
  for (let disk = 0; disk < 32; disk++) {
    const [cy, cx, radius] = [40 + 25 * (disk >> 2), 50 + 50 * (disk & 3), 6 + 2 * (disk & 7)];
    inside(32 + disk, (y, x) => Math.hypot(y - cy, x - cx) <= radius);
  }
}

function fillUniform(out: Float32Array, seed: number, low: number, high: number): void {
  const random = randomBits(seed);
  for (let i = 0; i < out.length; i++) out[i] = low + (random() / 2 ** 32) * (high - low);
}
