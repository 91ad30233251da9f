/**
 * What options of `convert` select or change, in plain code over an array that was read whole: the oracle of their crossings.
 *
 * @module
 */

import type { AxisFacts } from "../../../src/space/axes.ts";
import { targetAt } from "../../../src/sinks/registry.ts";
import { type DType, dtypeInfo, type TypedArray, typedArray } from "../../../src/space/dtype.ts";
import { sha256 } from "../../formats/read_all.ts";
import { writeNpy } from "../../cli/harness.ts";
import type { Random } from "../data/random.ts";
import type { Subject } from "./cells.ts";
import { isOfArraysAlone } from "./targets.ts";
import { bytesOf, type Told } from "./told.ts";

/** An array that is being changed, the flags that change it, and its frames that are not valid. */
export interface Selected {
  readonly told: Told & { readonly nav: number };
  readonly samples: Uint8Array;
  readonly flags: readonly string[];
  /** Which frames are valid; absent: all. */
  readonly valid?: readonly boolean[];
  /** Positions of frames without an image: they stay zeros. */
  readonly blank?: ReadonlySet<number>;
}

/** A change; `undefined` where it does not apply to such an array. */
export type Change = (
  from: Selected,
  random: Random,
  folder: string,
) => Selected | undefined | Promise<Selected | undefined>;

/** An array as it is read, without flags. */
export function wholeOf({ told, array }: Subject, valid?: readonly boolean[]): Selected {
  return {
    told: { ...told, nav: told.nav! },
    samples: bytesOf(array.data),
    flags: [],
    ...(valid ? { valid } : {}),
  };
}

/** What a file of these samples must say. */
export function askedOf({ told, samples }: Selected): Told {
  return { ...told, sha256: sha256(samples) };
}

const product = (numbers: readonly number[]) => numbers.reduce((all, n) => all * n, 1);
const count = (n: number) => Array.from({ length: n }, (_, i) => i);
const unitOf = ({ told }: Selected) => dtypeInfo(told.dtype as DType).itemSize;

/** The samples at these indices of dimensions, the first of which runs slowest. */
function gathered(from: Selected, dims: readonly (readonly [d: number, indices: readonly number[]])[]) {
  const { shape } = from.told, unit = unitOf(from);
  let flat = [0];
  for (const [d, indices] of dims) {
    const stride = product(shape.slice(d + 1));
    flat = flat.flatMap((base) => indices.map((i) => base + i * stride));
  }
  const samples = new Uint8Array(flat.length * unit);
  flat.forEach((at, i) => samples.set(from.samples.subarray(at * unit, (at + 1) * unit), i * unit));
  return samples;
}

/** The axis of some samples that are evenly spaced among all. */
function axisAt(axis: AxisFacts, start: number, step: number, indices: readonly number[]): AxisFacts {
  const { scale, offset = 0, positions, names, ...others } = axis;
  return {
    ...others,
    ...(scale === undefined ? {} : { scale: scale * step, offset: offset + start * scale }),
    ...(positions ? { positions: indices.map((i) => positions[i]!) } : {}),
    ...(names ? { names: indices.map((i) => names[i] ?? "") } : {}),
  };
}

/** The frames at these positions as a list, of whose place nothing is said. */
function listed(from: Selected, positions: readonly number[], flags: readonly string[]): Selected {
  const { told } = from, sig = told.shape.slice(told.nav), bytes = product(sig) * unitOf(from);
  const chosen = positions.filter((p) => from.valid?.[p] ?? true);
  const samples = new Uint8Array(chosen.length * bytes);
  chosen.forEach((p, n) => samples.set(from.samples.subarray(p * bytes, (p + 1) * bytes), n * bytes));
  const axes = [{}, ...told.axes.slice(told.nav)];
  const { blank } = from;
  return {
    ...(blank ? { blank: new Set(chosen.keys().filter((n) => blank.has(chosen[n]!))) } : {}),
    told: { ...told, shape: [chosen.length, ...sig], axes, nav: 1 },
    samples,
    flags: [...from.flags, ...flags],
  };
}

/** `--roi` with a range per dimension of the scan. */
export const ranges: Change = (from, random) => {
  if (from.told.nav === 0) return undefined;
  const { told } = from, nav = told.shape.slice(0, told.nav);
  const each = nav.map((n) => {
    const start = random.int(0, n - 1), step = random.pick([1, 1, 2, 3]), stop = random.int(start + 1, n);
    const indices = count(n).filter((i) => i >= start && i < stop && (i - start) % step === 0);
    return { start, step, indices, text: `${start}:${stop}${step === 1 ? "" : `:${step}`}` };
  });
  const flags = ["--roi", each.map(({ text }) => text).join()];
  const strides = nav.map((_, d) => product(nav.slice(d + 1)));
  let positions = [0];
  each.forEach(({ indices }, d) =>
    positions = positions.flatMap((p) => indices.map((i) => p + i * strides[d]!))
  );
  const list = listed(from, positions, flags);
  if (positions.some((p) => from.valid?.[p] === false)) return list;
  const axes = each.map(({ start, step, indices }, d) => axisAt(told.axes[d]!, start, step, indices));
  return {
    ...list,
    told: {
      ...told,
      shape: [...each.map(({ indices }) => indices.length), ...told.shape.slice(told.nav)],
      axes: [...axes, ...told.axes.slice(told.nav)],
    },
  };
};

/** Some positions of the scan, ascending. */
function somePositions({ told }: Selected, random: Random): number[] {
  const all = product(told.shape.slice(0, told.nav)), wanted = random.int(1, Math.min(all, 5));
  return [...new Set(count(wanted).map(() => random.int(0, all - 1)))].sort((a, b) => a - b);
}

/** `--roi` with single positions, in any order: frames are those of the scan in its order. */
export const positions: Change = (from, random) => {
  if (from.told.nav === 0) return undefined;
  const { told } = from, nav = told.shape.slice(0, told.nav), chosen = somePositions(from, random);
  const texts = chosen.map((p) =>
    nav.map((n, d) => Math.floor(p / product(nav.slice(d + 1))) % n - (random.chance(0.3) ? n : 0)).join()
  );
  return listed(from, chosen, ["--roi", texts.toReversed().join(";")]);
};

/** `--roi` with the file of a mask. */
export const masks: Change = async (from, random, folder) => {
  if (from.told.nav === 0) return undefined;
  const { told } = from, nav = told.shape.slice(0, told.nav), chosen = somePositions(from, random);
  const mask = new Uint8Array(product(nav)), path = `${folder}/mask.npy`;
  for (const p of chosen) mask[p] = 1;
  await writeNpy(path, "|b1", nav, mask);
  return listed(from, chosen, ["--roi", path]);
};

/** A flag that chooses one sample of the axis of that name or kind. */
function placeAlong(flag: string, is: (axis: AxisFacts) => boolean): Change {
  return (from, random) => {
    const { told } = from, found = told.axes.flatMap((axis, d) => is(axis) ? [d] : []), [dim] = found;
    if (dim === undefined || found.length > 1 || told.shape.length < 3 || from.valid) return undefined;
    const axis = told.axes[dim]!, at = random.int(0, told.shape[dim]! - 1), name = axis.names?.[at];
    const isNamed = name && axis.names!.filter((one) => one === name).length === 1 && random.chance(0.5);
    const dims = told.shape.map((n, d) => [d, d === dim ? [at] : count(n)] as const);
    const rest = told.shape.keys().filter((d) => d !== dim).toArray();
    const place = axis.positions?.[at] ?? (axis.offset ?? 0) + at * (axis.scale ?? 0);
    const { scale: _s, positions: _p, offset: _o, names: _n, ...others } = axis;
    const one = { ...others, ...(place === 0 ? {} : { offset: place }), ...(name ? { names: [name] } : {}) };
    const values = { kind: "amount" as const, ...told.values, of: [...told.values?.of ?? [], one] };
    const isOnlyFrame = told.shape.length - told.nav === 1 && dim === told.nav;
    return {
      ...from,
      told: {
        ...told,
        shape: rest.map((d) => told.shape[d]!),
        axes: rest.map((d) => told.axes[d]!),
        nav: told.nav - (dim < told.nav || isOnlyFrame ? 1 : 0),
        values,
      },
      samples: gathered(from, dims),
      flags: [...from.flags, flag, isNamed ? name : String(at)],
    };
  };
}

/** `--channel`, `--time`, `--z`. */
export const places: readonly Change[] = [
  placeAlong("--channel", ({ kind }) => kind === "channel"),
  placeAlong("--time", ({ kind }) => kind === "time"),
  placeAlong("--z", ({ name }) => name === "z"),
];

/** `--nav-axes` or `--sig-axes`: other axes are the frame, in another order. */
export const otherAxes: Change = (from, random) => {
  const { told } = from, dims = count(told.shape.length);
  if (dims.length < 2 || from.valid || product(told.shape) > 2 ** 18) return undefined;
  const mixed = dims.map((d) => [random.next(), d]).sort(([a], [b]) => a! - b!).map(([, d]) => d!);
  const named = mixed.slice(0, random.int(1, dims.length - 1)),
    others = dims.filter((d) => !named.includes(d));
  const isNav = random.chance(0.5), order = isNav ? [...named, ...others] : [...others, ...named];
  return {
    ...from,
    told: {
      ...told,
      shape: order.map((d) => told.shape[d]!),
      axes: order.map((d) => told.axes[d]!),
      nav: isNav ? named.length : others.length,
    },
    samples: gathered(from, order.map((d) => [d, count(told.shape[d]!)] as const)),
    flags: [...from.flags, isNav ? "--nav-axes" : "--sig-axes", named.join()],
  };
};

/** `--sync-offset`: images are shifted along the scan; frames without one are zeros. */
export const syncOffset: Change = (from, random) => {
  const { told, samples } = from, frames = product(told.shape.slice(0, told.nav));
  if (frames < 2 || from.valid) return undefined;
  const most = Math.min(3, frames - 1), shift = random.int(1, most) * (random.chance(0.5) ? 1 : -1);
  const bytes = samples.length / frames, moved = new Uint8Array(samples.length);
  const has = (image: number) => image >= 0 && image < frames;
  for (const p of count(frames)) {
    const image = p + shift;
    if (has(image)) moved.set(samples.subarray(image * bytes, (image + 1) * bytes), p * bytes);
  }
  const blank = new Set(count(frames).filter((p) => !has(p + shift)));
  return { ...from, samples: moved, blank, flags: [...from.flags, "--sync-offset", String(shift)] };
};

/** The type of corrected samples: complex ones stay, integers of more than 16 bits become `float64`. */
function correctedType(dtype: DType): DType {
  const { kind, itemSize } = dtypeInfo(dtype);
  return kind === "c" ? dtype : itemSize > (kind === "f" ? 4 : 2) ? "float64" : "float32";
}

/** The numbers of samples; of complex ones two each. */
function numbersOf({ told, samples }: Selected): TypedArray {
  const dtype = told.dtype as DType, { buffer } = samples.slice();
  return typedArray(dtype, buffer, 0, samples.length / unitOf({ told } as Selected));
}

/** The type of corrected samples, and what `change` makes of each number; `pixel` is its place in the frame. */
function corrected(
  from: Selected,
  flags: readonly string[],
  change: (value: number, pixel: number, isImaginary: boolean) => number,
): Selected {
  const { told } = from, dtype = correctedType(told.dtype as DType), numbers = numbersOf(from);
  const units = dtypeInfo(dtype).kind === "c" ? 2 : 1, pixels = product(told.shape.slice(told.nav));
  const data = new (isWide(dtype) ? Float64Array : Float32Array)(numbers.length);
  for (const i of numbers.keys()) {
    const sample = Math.floor(i / units), isImaginary = i % units === 1;
    if (from.blank?.has(Math.floor(sample / pixels))) continue;
    data[i] = change(Number(numbers[i]), sample % pixels, isImaginary);
  }
  const values = units === 1 ? { ...told.values, kind: "amount" as const } : told.values;
  return {
    ...from,
    told: { ...told, dtype, ...(values ? { values } : {}) },
    samples: bytesOf(data),
    flags: [...from.flags, ...flags],
  };
}

function isWide(dtype: DType): boolean {
  return dtype === "float64" || dtype === "complex128";
}

/** `--dark` and `--gain`: `(sample − dark) · 2`, of which only the difference is rounded. */
export const corrections: Change = async (from, random, folder) => {
  const sig = from.told.shape.slice(from.told.nav), number = random.int(1, 9);
  const dark = Float32Array.from(count(product(sig)), (i) => (i + number) % 16);
  const [at, by] = [`${folder}/dark.npy`, `${folder}/gain.npy`];
  await writeNpy(at, "<f4", sig, bytesOf(dark));
  await writeNpy(by, "<f4", sig, bytesOf(new Float32Array(dark.length).fill(2)));
  const round = isWide(correctedType(from.told.dtype as DType)) ? Number : Math.fround;
  return corrected(
    from,
    ["--dark", at, "--gain", by],
    (value, pixel, isImaginary) => 2 * round(round(value) - (isImaginary ? 0 : dark[pixel]!)),
  );
};

/** `--exclude`: a pixel is the mean of those around it. */
export const exclude: Change = (from, random) => {
  const sig = from.told.shape.slice(from.told.nav), at = sig.map((n) => random.int(0, n - 1));
  if (product(sig) < 2 || sig.length === 0) return undefined;
  const placed = (pixel: number) => sig.map((n, d) => Math.floor(pixel / product(sig.slice(d + 1))) % n);
  const pixels = count(product(sig)),
    distance = (pixel: number) => Math.max(...placed(pixel).map((p, d) => Math.abs(p - at[d]!)));
  const bad = pixels.find((pixel) => distance(pixel) === 0)!, good = pixels.filter((p) => distance(p) === 1);
  const changed = corrected(from, ["--exclude", at.join()], Number),
    data = numbersOf(changed) as Float64Array;
  const units = dtypeInfo(changed.told.dtype as DType).kind === "c" ? 2 : 1;
  for (let frame = 0; frame < data.length; frame += units * pixels.length) {
    for (const unit of count(units)) {
      const sum = good.reduce((all, pixel) => all + data[frame + pixel * units + unit]!, 0);
      data[frame + bad * units + unit] = sum / good.length;
    }
  }
  return { ...changed, samples: bytesOf(data) };
};

/** `--out-dtype`: a wider type that holds the samples. */
export const outDtype: Change = (from) => {
  const { kind, itemSize } = dtypeInfo(from.told.dtype as DType);
  if (kind === "c" || kind === "b" || kind !== "f" && itemSize > 4) return undefined;
  return {
    ...from,
    told: { ...from.told, dtype: "float64" },
    samples: bytesOf(Float64Array.from(numbersOf(from) as Float32Array)),
    flags: [...from.flags, "--out-dtype", "float64"],
  };
};

/** Changes by the order in which a command applies them; of each group a command has one at most. */
export const CHANGES: readonly (readonly Change[])[] = [
  [...places, otherAxes, syncOffset],
  [ranges, positions, masks],
  [corrections, exclude],
  [outDtype],
];

/** What some frames cannot be: their axes stay those of the scan and of the frame. */
export const CANNOT_SPLIT =
  /Cannot split the axes of .*(its frames do not fill|its frames are neither plain)/;

/** Groups of changes that are made while frames are written one after another. */
const OF_FRAMES: readonly (readonly Change[])[] = CHANGES.slice(1, 3);

/** `subject` after some changes that files of this ending take, and their flags. */
export async function changedBy(
  subject: Subject,
  path: string,
  random: Random,
  folder: string,
): Promise<{ readonly subject: Subject; readonly flags: readonly string[] }> {
  const takesFrames = targetAt(path, "frames") !== undefined;
  if (isOfArraysAlone(path) || subject.channelsFirst !== subject.told) return { subject, flags: [] };
  let selected = wholeOf(subject);
  for (const group of CHANGES) {
    if (!takesFrames && OF_FRAMES.includes(group) || random.chance(0.4)) continue;
    selected = await random.pick(group)(selected, random, folder) ?? selected;
  }
  const told = askedOf(selected), dtype = told.dtype as DType;
  const array = { ...subject.array, dtype, data: numbersOf(selected) };
  return { subject: { ...subject, array, told, channelsFirst: told }, flags: selected.flags };
}
