/**
 * The lattice of an analysis of disks as handles over the pattern and the scan, and back: handles and forms change the same
 * parameters.
 *
 * @module
 */

import type { Arrow } from "../../draw/region.ts";
import type { Answer } from "../../engine/session.ts";
import { analysisName } from "../../state/old_words.ts";
import type { AnalysisChoice, Position, Region } from "../../state/state.ts";

/** Where disks lie: at the origin plus whole multiples of both vectors, in pixels of the pattern. */
export interface Lattice {
  /** Its origin. */
  readonly zero: Position;
  /** Its first vector. */
  readonly a: Position;
  /** Its second vector. */
  readonly b: Position;
}

const NAMES = ["zero", "a", "b"] as const;

/** Whether the analysis looks for disks at the points of a lattice. */
export function hasLattice({ name, values }: AnalysisChoice): boolean {
  const isOfDisks = /^(correlate_pattern|feature_vector|refine_lattice|strain_map)$/.test(analysisName(name));
  return isOfDisks && values["peaks"] === undefined;
}

/** The lattice that the values have; nothing, if they do not have all of it. */
export function latticeIn(values: Readonly<Record<string, string>>): Lattice | undefined {
  const [zero, a, b] = NAMES.map((name) => pairOf(values[name]));
  return zero && a && b ? { zero, a, b } : undefined;
}

/** The lattice that the answer to a question about this analysis has found. */
export function latticeOf(answer: Answer | undefined, { name }: AnalysisChoice): Lattice | undefined {
  return answer?.question.analysis.name === name ? answer.found.lattice : undefined;
}

/** What is moved over the pattern: the disk, and the tips of both vectors. */
export function marksOf(
  { zero: [cy, cx], a, b }: Lattice,
  radius: number,
): readonly [disk: Extract<Region, { kind: "disk" }>, a: Arrow, b: Arrow] {
  const arrow = ([y, x]: Position): Arrow => ({ kind: "arrow", from: [cy, cx], tip: [cy + y, cx + x] });
  return [{ kind: "disk", cy, cx, r: radius }, arrow(a), arrow(b)];
}

/** The analysis after its disk was moved or resized. A lattice that was only found is not written down by its size. */
export function withDisk(
  choice: AnalysisChoice,
  lattice: Lattice,
  { cy, cx, r }: Extract<Region, { kind: "disk" }>,
): AnalysisChoice {
  const sized = { ...choice, values: { ...choice.values, radius: `${r}` } };
  const isMoved = Math.hypot(cy - lattice.zero[0], cx - lattice.zero[1]) > 0.05; // more than by being rounded
  return isMoved ? withLattice(sized, { ...lattice, zero: [cy, cx] }) : sized;
}

/** The analysis after the tip of one of its vectors was moved. */
export function withTip(
  choice: AnalysisChoice,
  lattice: Lattice,
  name: "a" | "b",
  { tip: [y, x] }: Arrow,
): AnalysisChoice {
  return withLattice(choice, { ...lattice, [name]: [y - lattice.zero[0], x - lattice.zero[1]] });
}

function withLattice(choice: AnalysisChoice, lattice: Lattice): AnalysisChoice {
  return { ...choice, values: { ...choice.values, ...latticeTexts(lattice) } };
}

/** A lattice as values of parameters. */
export function latticeTexts(lattice: Lattice): Readonly<Record<string, string>> {
  return Object.fromEntries(NAMES.map((name) => [name, lattice[name].map(short).join(":")]));
}

/** The rectangle of the scan that `region` means, such as `2:8,0:16`; nothing, if it is none. */
export function referenceIn({ region }: Readonly<Record<string, string>>): Region | undefined {
  const found = /^(\d+):(\d+),(\d+):(\d+)$/.exec(region ?? "");
  if (!found) return undefined;
  const [y, bottom, x, right] = found.slice(1).map(Number) as [number, number, number, number];
  const isSome = bottom > y && right > x;
  return isSome ? { kind: "rectangle", y, x, height: bottom - y - 1, width: right - x - 1 } : undefined;
}

/** The analysis with its reference in a rectangle of the scan. */
export function withReference(choice: AnalysisChoice, region: Region): AnalysisChoice {
  if (region.kind !== "rectangle") return choice;
  const { y, x, height, width } = region; // which lead to the last row and column
  return {
    ...choice,
    values: { ...choice.values, region: `${y}:${y + height + 1},${x}:${x + width + 1}` },
  };
}

function pairOf(text: string | undefined): Position | undefined {
  const numbers = text?.split(":").map(Number) ?? [];
  const [y, x] = numbers;
  return numbers.length === 2 && numbers.every(Number.isFinite) ? [y!, x!] : undefined;
}

/** Hundredths of pixels are enough to begin at. */
function short(value: number): string {
  return `${Number(value.toFixed(2)) + 0}`;
}
