/**
 * TIA series files (`.ser`): spectra, images and scans of both, of both versions.
 *
 * ```
 * 0 order₁₆ id₁₆ version₁₆ kind₃₂ tags₃₂ elements₃₂ valid₃₂ at of offsets₃₂|₆₄ dimensions₃₂
 * dimension  size₃₂ offset₆₄ delta₆₄ element₃₂ text text        a text: its length₃₂, then its letters
 * element    per axis offset₆₄ delta₆₄ element₃₂; type₁₆ sizes₃₂ samples
 * ```
 * Source: the description of the format by C. Boothroyd.
 *
 * @module
 */

import type { StoredDataset } from "../../dataset/dataset.ts";
import { known } from "../../dataset/facts.ts";
import { frameBytes } from "../../dataset/layout/layout.ts";
import { axesThatFit } from "../../dataset/said_axes.ts";
import { cannot } from "../../errors.ts";
import type { DType } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { type Arranged, fileDataset } from "../common/arrange.ts";
import { cutOff } from "../common/complete.ts";
import { Fields, MOST_PIXELS } from "../common/fields.ts";
import type { FormatInput } from "../common/format.ts";
import type { OpenOptions } from "../common/options.ts";
import {
  type Calibration,
  elementAxes,
  firstTime,
  type SerDimension,
  seriesAxes,
  serLayout,
} from "./layout.ts";

const TYPES: Readonly<Record<number, DType>> = {
  1: "uint8",
  2: "uint16",
  3: "uint32",
  4: "int8",
  5: "int16",
  6: "int32",
  7: "float32",
  8: "float64",
  9: "complex64",
  10: "complex128",
};

/** Bytes of the calibration of one axis of an element. */
const AXIS_BYTES = 20;

/** Elements of a series: each has an offset that is kept. */
const MOST_ELEMENTS = 2 ** 22;

/** Version from which on offsets have 64 bits. */
const LONG_OFFSETS = 0x220;

/** What the head of a series says. */
interface Series {
  readonly rank: 1 | 2;
  /** Elements that the series was to have. */
  readonly total: number;
  /** Elements that it has. */
  readonly valid: number;
  readonly offsets: number;
  readonly offsetBytes: 4 | 8;
  readonly nav: readonly number[];
  readonly axes: readonly SerDimension[];
}

/** The elements of a series. */
export async function open(input: FormatInput, options: OpenOptions): Promise<StoredDataset[]> {
  return [await openSer(input, options)];
}

async function openSer(input: FormatInput, options: OpenOptions): Promise<StoredDataset> {
  const series = readSeries(await headOf(input, options.signal));
  const table = await offsetTable(input, series, options.signal);
  const { usable, warnings } = await usableElements(input, series, table, options);
  const { dtype, sigShape, samples, calibration } = await readElement(
    input,
    table[0]!,
    series.rank,
    options.signal,
  );
  const first = { dtype, sigShape, calibration };
  warnings.push(...await unlike(input, series, table.subarray(0, usable), first, options.signal));
  const { offsets, offsetBytes, total } = series;
  const tags = { at: offsets + total * offsetBytes, offsetBytes };
  const acquired = await firstTime(input.source, tags, options.signal);
  const whole = usable === sizeOf(series.nav);
  const axesOver = ({ navShape, sigShape }: Arranged) => {
    const nav = seriesAxes(series, navShape.length), isScan = nav.some(({ kind }) => kind === "scan");
    const said = [...nav, ...elementAxes(series, calibration, sigShape.length, isScan)];
    return axesThatFit(input.name, [...navShape, ...sigShape], said);
  };
  return fileDataset(input, {
    images: usable,
    navShape: whole ? series.nav : undefined,
    sigShape,
    layout: serLayout(input.source, { table: table.subarray(0, usable), samples, dtype, sigShape }),
    warnings,
    axes: axesOver,
    instrument: known({ acquired }),
    metadata: { dimensions: series.axes },
  }, options);
}

async function headOf({ source, size }: FormatInput, signal: AbortSignal | undefined): Promise<Fields> {
  return await Fields.read(source, 0, Math.min(size, 65536), "little", signal);
}

function readSeries(head: Fields): Series {
  const version = head.u16(4);
  const kind = head.u32(6);
  if (kind !== 0x4120 && kind !== 0x4122) {
    throw head.error("unsupported", `elements of kind ${kind.toString(16)} are unknown`, 6);
  }
  const offsetBytes = version >= LONG_OFFSETS ? 8 : 4;
  const valid = head.within(head.u32(18), 1, MOST_ELEMENTS, "the number of elements", 18);
  const offsets = offsetBytes === 8 ? head.u64(22) : head.u32(22);
  const count = head.within(head.u32(22 + offsetBytes), 0, 8, "the number of dimensions", 22 + offsetBytes);
  let at = 26 + offsetBytes;
  const text = () => {
    const length = head.within(head.u32(at), 0, 4096, "the length of a text", at);
    at += 4 + length;
    return head.text(at - length, length);
  };
  const axes = Array.from({ length: count }, () => {
    const [size, offset, delta] = [head.u32(at), head.f64(at + 4), head.f64(at + 12)];
    at += 24;
    return { size, offset, delta, description: text(), units: text() };
  });
  const nav = axes.map(({ size }) => size).reverse();
  return { rank: kind === 0x4120 ? 1 : 2, total: head.u32(14), valid, offsets, offsetBytes, nav, axes };
}

async function offsetTable(
  { source, name }: FormatInput,
  { valid, offsets, offsetBytes }: Series,
  signal: AbortSignal | undefined,
): Promise<Float64Array> {
  const fields = await Fields.read(source, offsets, valid * offsetBytes, "little", signal);
  const at = (i: number) => offsetBytes === 8 ? fields.u64(8 * i) : fields.u32(4 * i);
  const table = Float64Array.from({ length: valid }, (_, i) => at(i));
  if (table[0] === 0) {
    throw cannot("read", name, "malformed", "its first element has no place");
  }
  return table;
}

/** Elements that lie wholly in the file. */
async function usableElements(
  { source }: FormatInput,
  { rank, valid }: Series,
  table: Float64Array,
  { allowTruncated, signal }: OpenOptions,
): Promise<{ usable: number; warnings: string[] }> {
  const head = await Fields.read(source, table[0]!, headBytes(rank), "little", signal);
  const { dtype, sigShape } = elementAt(head, rank);
  const bytes = headBytes(rank) + frameBytes(sigShape, dtype);
  const first = table.findIndex((at) => at + bytes > source.size);
  if (first < 0) return { usable: valid, warnings: [] };
  const { name, size } = source;
  const end = table.reduce((most, at) => Math.max(most, at), 0) + bytes;
  const found = { name, size, end, complete: first, of: valid, what: "elements" };
  const { frames, warnings } = cutOff(found, allowTruncated);
  return { usable: frames, warnings };
}

function headBytes(rank: 1 | 2): number {
  return rank * AXIS_BYTES + 2 + 4 * rank;
}

interface Element {
  readonly dtype: DType;
  readonly sigShape: readonly number[];
  /** In the order of the file: the fastest first. */
  readonly calibration: readonly Calibration[];
}

function elementAt(head: Fields, rank: 1 | 2): Element {
  const at = rank * AXIS_BYTES;
  const dtype = TYPES[head.u16(at)];
  if (!dtype) throw head.error("unsupported", `samples of type ${head.u16(at)} are unknown`, at);
  const sizes = Array.from(
    { length: rank },
    (_, d) => head.within(head.u32(at + 2 + 4 * d), 1, MOST_PIXELS, "the size of an element", at + 2 + 4 * d),
  );
  const calibration = Array.from({ length: rank }, (_, d) => ({
    offset: head.f64(d * AXIS_BYTES),
    delta: head.f64(d * AXIS_BYTES + 8),
    at: head.i32(d * AXIS_BYTES + 16),
  }));
  return { dtype, sigShape: sizes.reverse(), calibration };
}

async function readElement(
  { source }: FormatInput,
  at: number,
  rank: 1 | 2,
  signal: AbortSignal | undefined,
): Promise<Element & { samples: number }> {
  const head = await Fields.read(source, at, headBytes(rank), "little", signal);
  return { ...elementAt(head, rank), samples: headBytes(rank) };
}

/** All elements must be like the first: type and sizes of each are checked, and other places of samples are told. */
async function unlike(
  input: FormatInput,
  { rank }: Series,
  table: Float64Array,
  first: Element,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const placesOf = (calibration: readonly Calibration[]) => JSON.stringify(calibration);
  const others: number[] = [];
  const step = Math.max(1, Math.floor(table.length / 256)); // some of a long series: reading all would read the file
  for (let i = 0; i < table.length; i += step) {
    const { dtype, sigShape, calibration } = await readElement(input, table[i]!, rank, signal);
    if (placesOf(calibration) !== placesOf(first.calibration)) others.push(i);
    if (dtype === first.dtype && sigShape.join() === first.sigShape.join()) continue;
    const text = `element ${i} is ${sigShape.join(" × ")} ${dtype}, the first one ` +
      `${first.sigShape.join(" × ")} ${first.dtype}`;
    throw cannot("read", input.name, "unsupported", text, { offset: table[i]! });
  }
  if (others.length === 0) return [];
  return [
    `Element ${others[0]} has its samples at other places than the first one, whose places are taken for all`,
  ];
}
