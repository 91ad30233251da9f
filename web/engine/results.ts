/**
 * The results of a run as the page shows them: with titles, units and images.
 *
 * @module
 */

import type { Dataset, NDArray } from "@tilewise/tilewise";
import { firstResult, type ResultKind, type ResultTitle, resultTitle } from "../../src/analyses/mod.ts";
import type { ShownImage, ShownVectors } from "../draw/image.ts";
import {
  type Frame,
  imageAxes,
  LazyImage,
  LazyVectors,
  NO_AXES,
  planeOf,
  type Planes,
  planesOf,
} from "./planes.ts";
import type { NamedResult } from "./session.ts";

/** Most images of one result: nobody looks through more. */
const MOST_IMAGES = 1024;

/** What the images of results depend on. */
export interface ResultFacts {
  /** What was computed on. */
  readonly dataset: Dataset;
  /** The name of the analysis. */
  readonly analysis: string;
  /** What results run along, as far as it is declared. */
  readonly kinds: Readonly<Record<string, ResultKind>>;
}

/** All results that are arrays: the one that is looked at first, then the others in their order. */
export function namedResults(results: Readonly<Record<string, NDArray>>, facts: ResultFacts): NamedResult[] {
  const first = firstResult(facts.analysis);
  const entries = Object.entries(results).sort(([a], [b]) => Number(b === first) - Number(a === first));
  return entries.map(([name, array]) => namedResult(name, array, facts));
}

function namedResult(name: string, array: NDArray, facts: ResultFacts): NamedResult {
  const { dataset } = facts;
  const kind = kindOf(array, facts.kinds[name], dataset);
  const said = resultTitle(facts.analysis, name);
  const place = kind === "scan"
    ? dataset.navShape
    : kind === "frame"
    ? dataset.sigShape
    : placeOfOther(array);
  const meaning = said.meaning ?? meaningOf(array);
  const axes = kind === "other" ? NO_AXES : imageAxes(dataset, kind);
  const whole = {
    title: said.title,
    axes,
    ...(said.percent ? { unit: "%" } : unitOf(array)),
    ...(meaning ? { meaning } : {}),
  };
  return {
    name,
    title: said.title,
    kind,
    array,
    images: imagesOf(array, planesOf(array, place), array.shape.slice(place.length), whole, said),
  };
}

/** What colours must show of numbers that say what they mean. */
function meaningOf({ values }: Pick<NDArray, "values">): Frame["meaning"] {
  return values?.kind === "label" ? "label" : values?.kind === "phase" ? "angle" : undefined;
}

/** The unit of the numbers of an array, where it says one. */
export function unitOf({ values }: Pick<NDArray, "values">): Pick<Frame, "unit"> {
  return values?.unit === undefined ? {} : { unit: values.unit };
}

/** The declared kind; of others the one that the shape begins with. */
function kindOf({ shape }: NDArray, declared: ResultKind | undefined, dataset: Dataset): ResultKind {
  const begins = (place: readonly number[]) => place.every((n, d) => shape[d] === n);
  const { navShape, sigShape } = dataset;
  if (declared === "scan" && begins(navShape) || declared === "frame" && begins(sigShape)) return declared;
  if (declared === "other") return declared;
  if (navShape.length > 0 && shape.length >= navShape.length && begins(navShape)) return "scan";
  return shape.length === sigShape.length && begins(sigShape) ? "frame" : "other";
}

/** Of results that are neither, the last two dimensions are rows and columns. */
function placeOfOther({ shape }: NDArray): readonly number[] {
  return shape;
}

function imagesOf(
  array: NDArray,
  planes: Planes,
  rest: readonly number[],
  whole: Frame,
  said: ResultTitle,
): readonly (ShownImage | ShownVectors)[] {
  const all = range(Math.min(MOST_IMAGES, planes.lead));
  if (said.entries === "vector" && planes.entries === 2) {
    return all.map((lead) =>
      new LazyVectors(
        titled(whole, planes.lead > 1 ? `, ${lead}` : ""),
        (c) => planeOf(array, planes, lead, c),
      )
    );
  }
  return all.flatMap((lead) =>
    range(Math.min(MOST_IMAGES, planes.entries)).map((entry) => {
      const names = [
        ...(planes.lead > 1 ? [String(lead)] : []),
        ...(planes.entries > 1 ? [entryName(entry, rest, said)] : []),
      ];
      const frame = titled(whole, names.length > 0 ? `, ${names.join(", ")}` : "");
      const plane = () => planeOf(array, planes, lead, entry);
      return new LazyImage(frame, said.percent ? () => inPercent(plane()) : plane);
    })
  ).slice(0, MOST_IMAGES);
}

function inPercent(plane: NDArray): NDArray {
  const data = Float64Array.from(plane.data as Float64Array, (value) => 100 * value);
  return { ...plane, data, dtype: "float64" };
}

/** Its place along the dimensions that are longer than 1, in words: `ring 2, order 3`. */
function entryName(
  entry: number,
  shape: readonly number[],
  { entries, counted = [] }: ResultTitle,
): string {
  const at = placeOf(entry, shape);
  const last = Array.isArray(entries) ? entries[at.at(-1) ?? 0] : undefined;
  const unnamed = last === undefined ? at : at.slice(0, -1);
  const words = unnamed.flatMap((index, d) =>
    shape[d] === 1 && at.length > 1
      ? []
      : counted[d] === undefined
      ? [`${index}`]
      : [`${counted[d]} ${index}`]
  );
  return [...words, ...(last === undefined ? [] : [last])].join(", ");
}

/** The indices of an entry along each dimension. */
function placeOf(entry: number, shape: readonly number[]): number[] {
  const at: number[] = [];
  let left = entry;
  for (const n of shape.toReversed()) {
    at.unshift(left % n);
    left = Math.floor(left / n);
  }
  return at;
}

function titled(frame: Frame, suffix: string): Frame {
  return { ...frame, title: frame.title + suffix };
}

function range(length: number): number[] {
  return Array.from({ length }, (_, i) => i);
}
