/**
 * Reference kernels of phasors: planes of the phases of sources at rows.
 *
 * @module
 */

import type { DType } from "../../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";
import { doubles } from "../samples.ts";
import { type Complex, type Numbers, numbersOf } from "./numbers.ts";
import { expOfTurns, expOfTurnsSingle } from "./turns.ts";

const BLOCK = 16;

/** Phases of all sources, rows and channels; lanes behind the last channel have frequency 0. */
export function rimePhasors(memory: WebAssembly.Memory, dtype: DType): KernelFamilies["rime_phasors"] {
  const numbers = numbersOf(memory, dtype);
  const { get } = doubles(memory);
  const exp = numbers.size === 8 ? expOfTurns : expOfTurnsSingle;
  return (out, lmn, uvw, frequency, sources, rows, channels, speed) => {
    const phase = (r: number, s: number, c: number) => {
      const delay = delayOf(get, uvw + 24 * r, lmn + 24 * s, speed);
      return exp(delay * (c < channels ? get(frequency + 8 * c) : 0));
    };
    writePlanes(numbers, out, sources, rows, channels, phase);
  };
}

/** Phases of evenly spaced channels, as products of two. */
export function rimePhasorsEven(
  memory: WebAssembly.Memory,
  dtype: DType,
): KernelFamilies["rime_phasors_even"] {
  const numbers = numbersOf(memory, dtype);
  const { round, size } = numbers;
  const { get } = doubles(memory);
  const exp = size === 8 ? expOfTurns : expOfTurnsSingle;
  return (out, lmn, uvw, first, step, channel, sources, rows, channels, speed, _tables) => {
    const phase = (r: number, s: number, index: number): Complex => {
      const delay = delayOf(get, uvw + 24 * r, lmn + 24 * s, speed);
      const c = channel + index, j = c % BLOCK;
      const [re, im] = exp(delay * (first + (c - j) * step));
      const [a, b] = exp(delay * (step * j));
      return [round(round(re * a) - round(im * b)), round(round(re * b) + round(im * a))];
    };
    writePlanes(numbers, out, sources, rows, channels, phase);
  };
}

function delayOf(get: (at: number) => number, uvw: number, lmn: number, speed: number): number {
  const path = get(uvw) * get(lmn) + get(uvw + 8) * get(lmn + 8) + get(uvw + 16) * get(lmn + 16);
  return path / speed;
}

function writePlanes(
  { set, size, lanes }: Numbers,
  out: number,
  sources: number,
  rows: number,
  channels: number,
  phase: (row: number, source: number, channel: number) => Complex,
): void {
  for (let v = 0; v * lanes < channels; v++) {
    for (let r = 0; r < rows; r++) {
      for (let s = 0; s < sources; s++, out += 32) {
        for (let lane = 0; lane < lanes; lane++) {
          const [re, im] = phase(r, s, v * lanes + lane);
          set(out + lane * size, re);
          set(out + 16 + lane * size, im);
        }
      }
    }
  }
}
