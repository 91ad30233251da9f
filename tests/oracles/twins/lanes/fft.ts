/**
 * Reference kernel of the transforms of eight small images at once.
 *
 * @module
 */

import type { KernelFamilies } from "../../../../src/kernels/families/families.ts";

type Complex = readonly [re: number, im: number];

const f = Math.fround;
const HALF_ROOT_3 = f(Math.sqrt(3) / 2);
const [COS_72, SIN_72] = [f(0.30901699437494745), f(0.9510565162951535)];
const [COS_144, SIN_144] = [f(-0.8090169943749475), f(0.5877852522924731)];

/** Eight images as four complex ones, image i with image i + 4: forward, or backward without the division. */
export function lanesFft(memory: WebAssembly.Memory): KernelFamilies["lanes_fft"] {
  const view = new DataView(memory.buffer);
  const get = (at: number) => view.getFloat32(at, true);
  const set = (at: number, value: number) => view.setFloat32(at, value, true);
  return (data, n, radices, stages, twiddles, spare, backward) => {
    const factors = Array.from({ length: stages }, (_, s) => view.getInt32(radices + 4 * s, true));
    const pair = (i: number): Complex => [get(twiddles + 8 * i), get(twiddles + 8 * i + 4)];
    const along = (line: Complex[]) => backward ? back(line, factors, pair) : forth(line, factors, pair);
    const [re, im] = backward ? [16, 0] : [0, 16];
    for (let lane = 0; lane < 16; lane += 4) {
      const pass = (first: number, step: number) => {
        const at = (i: number) => data + 32 * (first + i * step) + lane;
        const line = Array.from({ length: n }, (_, i): Complex => [get(at(i) + re), get(at(i) + im)]);
        along(line).forEach(([r, m], i) => (set(at(i) + re, r), set(at(i) + im, m)));
      };
      const rows = () => range(n).forEach((y) => pass(y * n, 1));
      const columns = () => range(n).forEach((x) => pass(x, n));
      if (backward) (columns(), rows());
      else (rows(), columns());
    }
    for (const p of factors.filter((p) => p > 5)) new Uint8Array(memory.buffer, spare, 32 * p).fill(0);
  };
}

/** Every stage in order: butterflies, then twiddles. */
function forth(line: Complex[], factors: readonly number[], pair: (i: number) => Complex): Complex[] {
  let [length, first] = [line.length, 0];
  for (const p of factors) {
    const sum = butterfly(p, (j) => pair(first + j));
    visit(line, p, length, (values, k) => {
      const factor = (q: number) => pair(first + (p > 5 ? p : 0) + k * (p - 1) + q - 1);
      return sum(values).map((value, q) => twiddled(p, k, q) ? times(value, factor(q)) : value);
    });
    first += pairsOf(p, length);
    length /= p;
  }
  return line;
}

/** Every stage in reverse: twiddles, then butterflies. */
function back(line: Complex[], factors: readonly number[], pair: (i: number) => Complex): Complex[] {
  let rest = line.length;
  const steps = factors.map((p) => ({ p, length: rest, next: rest /= p }));
  let first = steps.reduce((sum, { p, length }) => sum + pairsOf(p, length), 0);
  for (const { p, length } of steps.reverse()) {
    first -= pairsOf(p, length);
    const start = first;
    const sum = butterfly(p, (j) => pair(start + j));
    visit(line, p, length, (values, k) => {
      const factor = (q: number) => pair(start + (p > 5 ? p : 0) + k * (p - 1) + q - 1);
      return sum(values.map((value, q) => twiddled(p, k, q) ? times(value, factor(q)) : value));
    });
  }
  return line;
}

function pairsOf(p: number, length: number): number {
  return (p > 5 ? p : 0) + length / p * (p - 1);
}

/** Stages of four skip the twiddles that are 1. */
function twiddled(p: number, k: number, q: number): boolean {
  return q > 0 && !(p === 4 && k === 0);
}

/** Replaces each group of p elements, for every block of `length` and every k. */
function visit(
  line: Complex[],
  p: number,
  length: number,
  change: (values: Complex[], k: number) => Complex[],
) {
  const part = length / p;
  for (let from = 0; from < line.length; from += length) {
    for (let k = 0; k < part; k++) {
      const places = range(p).map((j) => from + k + j * part);
      change(places.map((place) => line[place]!), k).forEach((value, q) => line[places[q]!] = value);
    }
  }
}

/** Sums of p elements with the roots of unity, in the order of operations of the fast kernel. */
function butterfly(p: number, root: (j: number) => Complex): (values: readonly Complex[]) => Complex[] {
  const small: Readonly<Record<number, (values: readonly Complex[]) => Complex[]>> = {
    2: two,
    3: three,
    4: four,
    5: five,
  };
  const many = (values: readonly Complex[]) =>
    range(p).map((q) =>
      values.slice(1).reduce<Complex>(
        (sum, value, j) => plus(sum, times(value, root(q * (j + 1) % p))),
        values[0]!,
      )
    );
  return small[p] ?? many;
}

function two([a, b]: readonly Complex[]): Complex[] {
  return [plus(a!, b!), minus(a!, b!)];
}

function three([a, b, c]: readonly Complex[]): Complex[] {
  const sum = plus(b!, c!), middle = minus(a!, scaled(sum, 0.5)), side = scaled(minus(b!, c!), HALF_ROOT_3);
  return [plus(a!, sum), rotated(middle, side), rotatedBack(middle, side)];
}

function four([a, b, c, d]: readonly Complex[]): Complex[] {
  const s = plus(a!, c!), t = minus(a!, c!), u = plus(b!, d!), v = minus(b!, d!);
  return [plus(s, u), rotated(t, v), minus(s, u), rotatedBack(t, v)];
}

function five([a, b, c, d, e]: readonly Complex[]): Complex[] {
  const t = plus(b!, e!), u = plus(c!, d!), v = minus(b!, e!), x = minus(c!, d!);
  const m = plus(a!, plus(scaled(t, COS_72), scaled(u, COS_144)));
  const n = plus(a!, plus(scaled(t, COS_144), scaled(u, COS_72)));
  const g = plus(scaled(v, SIN_72), scaled(x, SIN_144)), h = minus(scaled(v, SIN_144), scaled(x, SIN_72));
  return [plus(a!, plus(t, u)), rotated(m, g), rotated(n, h), rotatedBack(n, h), rotatedBack(m, g)];
}

const plus = (a: Complex, b: Complex): Complex => [f(a[0] + b[0]), f(a[1] + b[1])];
const minus = (a: Complex, b: Complex): Complex => [f(a[0] - b[0]), f(a[1] - b[1])];
const scaled = (a: Complex, by: number): Complex => [f(a[0] * by), f(a[1] * by)];
/** a − i b. */
const rotated = (a: Complex, b: Complex): Complex => [f(a[0] + b[1]), f(a[1] - b[0])];
/** a + i b. */
const rotatedBack = (a: Complex, b: Complex): Complex => [f(a[0] - b[1]), f(a[1] + b[0])];
const times = ([r, i]: Complex, [c, s]: Complex): Complex => [f(f(r * c) - f(i * s)), f(f(r * s) + f(i * c))];
const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);
