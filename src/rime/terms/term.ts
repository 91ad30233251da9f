/**
 * What a term of the measurement equation is, a factor of the Jones matrices of antennas towards sources, and the arrays that several
 * terms know: angles, frequencies.
 *
 * The matrices of a batch of sources lie in a buffer, `[source][time][antenna][channel][4]`, without the phase K. Each
 * term multiplies its own matrices into it from the right, in the order of the list: of the terms E, L the product is E L,
 * and a signal passes through the last one first.
 *
 * @module
 */

import type { ArraySchema } from "../../hypercube/cube/cube.ts";
import type { CubeArray } from "../../hypercube/providers/provider.ts";
import type { Kernels } from "../../kernels/bind.ts";
import { TilewiseError } from "../../errors.ts";
import { dtypeInfo, typedArray } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";

/**
 * The numbers of a prediction: all of them float64, or `mixed`: positions, delays and weights of interpolation in float64,
 * Jones matrices and visibilities in float32.
 * @category Measurement equation
 */
export type Precision = "f64" | "mixed";

/**
 * The polarisation of feeds: `linear` correlations are XX, XY, YX, YY, `circular` ones RR, RL, LR, LL.
 * @category Measurement equation
 */
export type Feed = "linear" | "circular";

/**
 * A term, as {@link beam}, {@link feedRotation}, {@link jonesFunction} and {@link jonesKernel} make it. It is plain data,
 * which travels to workers.
 * @category Measurement equation
 */
export interface JonesTerm {
  /** Its name, in messages and in the names of its own arrays; different for every term of a list. */
  readonly name: string;
  /** The kind of term. */
  readonly term: string;
  /** The arrays that it needs: inputs, and temporary ones for its own use. Complex ones are complex64 in mixed precision. */
  readonly arrays: readonly ArraySchema[];
  /** What it was made with. */
  readonly params: Readonly<Record<string, unknown>>;
  /** The feeds that its matrices belong to; absent: those of any. */
  readonly feed?: Feed;
  /** URLs of modules of users that it imports where it runs. */
  readonly modules?: readonly string[];
  /** Whether it runs on the calling thread only, as it holds a function. */
  readonly here?: true;
  /** Makes it ready for a run: compiles its kernel. What it returns is plain data. */
  prepare?(): Promise<JonesTerm>;
}

/** Sizes that all batches of a tile share. */
interface TermSizes {
  /** Number of times. */
  readonly times: number;
  /** Number of antennas. */
  readonly antennas: number;
  /** Number of channels. */
  readonly channels: number;
}

/** A tile, as a term sees it: its sizes, and the places of all arrays of the cube by name. */
export interface TermTile extends TermSizes {
  /** The arrays by name. */
  readonly arrays: Readonly<Record<string, CubeArray>>;
}

/** A batch of sources of a tile. */
export interface JonesBatch {
  /** Address of the matrices, in the precision of the run. */
  readonly jones: number;
  /** Address of `lm` of the sources of the batch: (sources, 2) float64. */
  readonly lm: number;
  /** Number of sources of the batch. */
  readonly sources: number;
  /** The number of its first source in the whole problem. */
  readonly first: number;
  /** The numbers of its sources in the whole problem, where they do not follow each other. */
  readonly numbers?: Int32Array;
}

/** What a term is started with on a thread. */
export interface TermSetting<P> {
  /** The name of the term. */
  readonly name: string;
  /** What it was made with. */
  readonly params: P;
  /** The kernels, and the memory of the run. */
  readonly kernels: Kernels;
  /** The numbers of the run. */
  readonly precision: Precision;
}

/** Multiplies the matrices of a term into the buffer of a batch. */
export type MultiplyTerm = (batch: JonesBatch) => void;

/** Prepares a term for a tile: what its batches share is computed once. */
export type StartTile = (tile: TermTile) => MultiplyTerm;

/** The code of a kind of term, in the table of all kinds. */
export interface TermEntry<P> {
  /** Starts it on a thread. */
  start(setting: TermSetting<P>): StartTile | Promise<StartTile>;
}

/** The dtype of real numbers in kernels of a precision. */
export function realOf(precision: Precision): "float32" | "float64" {
  return precision === "f64" ? "float64" : "float32";
}

/** The dtype of complex numbers of a precision. */
export function complexOf(precision: Precision): "complex64" | "complex128" {
  return precision === "f64" ? "complex128" : "complex64";
}

/** Bytes of a 2×2 matrix of a precision. */
export function matrixBytes(precision: Precision): number {
  return precision === "f64" ? 64 : 32;
}

/** The angles that turn the feeds of antennas, and with them their beams. */
export const ANGLES: readonly ArraySchema[] = [
  {
    name: "parallactic_angles",
    shape: ["ntime", "na"],
    dtype: "float64",
    role: "input",
    description: "from the direction of the pole to that of the zenith",
    units: "rad",
  },
  {
    name: "feed_angles",
    shape: ["na"],
    dtype: "float64",
    role: "input",
    description: "of the feeds of antennas",
    units: "rad",
  },
];

/** The frequencies of channels. */
export const FREQUENCY: ArraySchema = {
  name: "frequency",
  shape: ["nchan"],
  dtype: "float64",
  role: "input",
  description: "of channels",
  units: "Hz",
};

/** An array of a tile that a term needs. */
export function arrayOf({ arrays }: Pick<TermTile, "arrays">, name: string): CubeArray {
  const found = arrays[name];
  if (found) return found;
  throw new TilewiseError("corrupt", `A term needs the array ${name}, which the tile does not have`);
}

/** The float64 numbers of an array of a tile; complex ones as pairs. */
export function numbersIn(memory: WebAssembly.Memory, { pointer, shape, dtype }: CubeArray): Float64Array {
  return new Float64Array(memory.buffer, pointer, sizeOf(shape) * dtypeInfo(dtype).itemSize / 8);
}

/** The numbers of a complex array of a tile, as pairs. */
export function pairsIn(
  memory: WebAssembly.Memory,
  { pointer, shape, dtype }: CubeArray,
): Float32Array | Float64Array {
  const data = typedArray(dtype, memory.buffer, pointer, sizeOf(shape));
  if (data instanceof Float32Array || data instanceof Float64Array) return data;
  throw new TilewiseError("corrupt", `Pairs of complex numbers lie in an array of ${dtype}`);
}

/** Calls `use` with the angle of each time and antenna: parallactic angle + feed angle. */
export function eachAngle(
  memory: WebAssembly.Memory,
  tile: TermTile,
  use: (angle: number, index: number) => void,
): void {
  const [parallactic, feed] = ANGLES.map(({ name }) => numbersIn(memory, arrayOf(tile, name)));
  for (let i = 0; i < tile.times * tile.antennas; i++) use(parallactic![i]! + feed![i % tile.antennas]!, i);
}
