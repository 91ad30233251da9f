/**
 * Stacks of MetaMorph (STK): the steps of pixels are in tag 33628, heights of planes in tags 33629 and 33631.
 *
 * ```
 * UIC1  (number of a fact₄, its value or its offset₄) …        3: is calibrated  4, 5: steps of x and y  6: unit
 * UIC2  (distance in z: numerator₄ denominator₄, day of its making₄, its time₄, day of its last change₄, its time₄) …
 * UIC4  (number of a fact₂, values of all planes) …, 0₂        40: heights  41: which of them are known
 * ```
 * Source: "MetaMorph stack file format", as tifffile has it.
 *
 * @module
 */

import type { AxisFacts } from "../../../space/axes.ts";
import type { Fields } from "../../common/fields.ts";
import { type Directory, TAG } from "../container/directory.ts";
import { type Described, type Pixels, squareAxes } from "./axes.ts";

/** Bytes of the facts of a plane in UIC2. */
const PLANE_BYTES = 24;
/** Bytes of a fact in UIC1, most facts of it, and most bytes of UIC4. */
const FACT_BYTES = 8, MOST_FACTS = 256, MOST_BYTES = 2 ** 26;
/** Numbers of facts. */
const CALIBRATED = 3, STEP_X = 4, STEP_Y = 5, UNIT = 6, LABELS = 37, HEIGHTS = 40, ARE_KNOWN = 41;
/** Bytes per plane of the facts in UIC4. */
const BYTES: Readonly<Record<number, number>> = { 28: 16, 29: 16, [HEIGHTS]: 8, [ARE_KNOWN]: 4 };
/** Most letters of a unit. */
const MOST_UNIT = 32;

/** The pixels of a stack of MetaMorph; `undefined` where they are not calibrated. */
export async function metamorphPixels({ directory }: Described): Promise<Pixels | undefined> {
  const { file } = directory;
  const entry = directory.entry(TAG.uic1)!;
  if (entry.count < 2) return undefined;
  const count = Math.min(entry.count, MOST_FACTS);
  const facts = await file.read(entry.at, count * FACT_BYTES, "the facts of MetaMorph");
  const places = new Map(
    Array.from({ length: count }, (_, i) => [facts.u32(i * FACT_BYTES), facts.u32(i * FACT_BYTES + 4)]),
  );
  const step = async (fact: number): Promise<number | undefined> => {
    const at = places.get(fact) ?? 0;
    if (at < 8 || at + 8 > file.size) return undefined;
    return fraction(await file.read(at, 8, "a step of pixels"), 0);
  };
  const unit = await unitAt(directory, places.get(UNIT) ?? 0);
  if (places.get(CALIBRATED) === 0) return undefined;
  const axes = squareAxes(await step(STEP_Y), await step(STEP_X), unit);
  return axes.y ? { axes, metadata: {} } : undefined;
}

async function unitAt({ file }: Directory, at: number): Promise<string> {
  if (at < 8 || at + 4 > file.size) return "";
  const length = Math.min((await file.read(at, 4, "a unit")).u32(0), MOST_UNIT, file.size - at - 4);
  const { bytes } = await file.read(at + 4, length, "a unit");
  const text = new TextDecoder("latin1").decode(bytes.slice()).split("\0")[0]!.trim();
  return /^(um|microns?)$/i.test(text) ? "µm" : /^pixels?$/i.test(text) ? "" : text;
}

/** The axis of the planes: along z where they have heights or distances from the plane before, else in time. */
export async function planesOfMetamorph(directory: Directory, count: number): Promise<AxisFacts> {
  const { file } = directory;
  const fields = await file.read(
    directory.entry(TAG.uic2)!.at,
    count * PLANE_BYTES,
    "the facts of the planes",
  );
  const distances = Array.from({ length: count }, (_, i) => fraction(fields, i * PLANE_BYTES) ?? 0);
  const heights = await heightsIn(directory, count);
  if (!heights && distances.every((one) => one === 0)) return { name: "t", kind: "time" };
  let height = 0;
  const own = heights ?? distances.map((distance, i) => height += i === 0 ? 0 : distance);
  return { name: "z", kind: "space", unit: "µm", ...steps(own, heights ? undefined : distances[1]) };
}

/** The heights of planes as UIC4 tells them; `undefined` unless those of all planes are known. */
async function heightsIn(directory: Directory, count: number): Promise<number[] | undefined> {
  const { file } = directory;
  const entry = directory.entry(TAG.uic4);
  if (!entry) return undefined;
  const facts = await file.read(entry.at, Math.min(MOST_BYTES, file.size - entry.at), "the facts of planes");
  const end = facts.bytes.length;
  const found = new Map<number, number>();
  for (let at = 0; at + 2 <= end;) {
    const [fact, start] = [facts.u16(at), at + 2];
    if (fact === 0) break;
    const bytes = fact === LABELS ? labelBytes(facts, start, count) : (BYTES[fact] ?? NaN) * count;
    if (!(start + bytes <= end)) break; // a fact of unknown size
    found.set(fact, start);
    at = start + bytes;
  }
  const [heights, known] = [found.get(HEIGHTS), found.get(ARE_KNOWN)];
  if (heights === undefined || known === undefined) return undefined;
  const planes = Array.from({ length: count }, (_, i) => i);
  if (planes.some((i) => facts.u32(known + 4 * i) === 0)) return undefined;
  const own = planes.map((i) => fraction(facts, heights + 8 * i) ?? NaN);
  return own.every(Number.isFinite) ? own : undefined;
}

/** Bytes of the labels of all planes, each behind its length. */
function labelBytes(facts: Fields, start: number, count: number): number {
  let at = start;
  for (let i = 0; i < count && at + 4 <= facts.bytes.length; i++) at += 4 + facts.u32(at);
  return at - start;
}

/** The largest difference from even steps, in steps. */
const EVEN = 1e-6;

/** Positions as an even axis where they are one; `step` is how the file tells it. */
function steps(positions: readonly number[], step: number = positions[1]! - positions[0]!): AxisFacts {
  const offset = positions[0]!;
  const isEven = step !== 0 &&
    positions.every((one, i) => Math.abs(one - offset - i * step) <= EVEN * Math.abs(step));
  return isEven ? { scale: step, ...(offset === 0 ? {} : { offset }) } : { positions };
}

/** Numerator and denominator; `undefined` where the denominator is 0. */
function fraction(fields: Fields, at: number): number | undefined {
  const below = fields.u32(at + 4);
  return below === 0 ? undefined : fields.u32(at) / below;
}
