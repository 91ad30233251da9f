/**
 * What a file says of the axes of an array, beside the shape that the array has: what contradicts it is left out, and told.
 *
 * @module
 */

import type { AxisFacts } from "../space/axes.ts";
import { type Shape, showShape } from "../space/shape.ts";

/** What a file says of an axis. */
export interface SaidAxis extends AxisFacts {
  /** Samples along it, where the file counts them beside the axis, too. */
  readonly size?: number;
  /** Whether its format knows no steps below 0; others have them for axes that run downwards. */
  readonly isRising?: boolean;
  /** What else the file says that it has, and what becomes of it. */
  readonly told?: string;
}

/** What can be used, and what the user should know. */
export interface FittingAxes {
  /** One for each dimension, or none. */
  readonly axes: readonly (AxisFacts | undefined)[];
  /** What contradicts the shape or itself, and what is done. */
  readonly warnings: readonly string[];
}

/** The dimensions `said` of an array of `shape`, without what cannot be so; `name` is what messages call the array. */
export function axesThatFit(
  name: string,
  shape: Shape,
  said: readonly (SaidAxis | undefined)[],
): FittingAxes {
  if (said.length === 0) return { axes: [], warnings: [] };
  if (said.length !== shape.length) {
    const found = `the array of ${showShape(shape)} has ${shape.length} dimensions`;
    return { axes: [], warnings: [`${name} says ${said.length} axes, ${found}: they are not used`] };
  }
  const warnings: string[] = [];
  const axes = said.map((axis, d) => {
    if (!axis) return axis;
    const { axis: fitting, problems } = fit(axis, shape[d]!);
    warnings.push(...problems.map((problem) => `${name} says that axis ${axis.name ?? d} has ${problem}`));
    return fitting;
  });
  return { axes, warnings };
}

/** What can be used of an axis along `count` samples, and what cannot. */
function fit(
  { size, isRising, told, ...said }: SaidAxis,
  count: number,
): { readonly axis: AxisFacts | undefined; readonly problems: readonly string[] } {
  if (size !== undefined && size !== count) {
    const problem = `${size} samples, the array has ${count} along it: this axis is not used`;
    return { axis: undefined, problems: [problem] };
  }
  const { scale, offset, unit, positions, names: labels, ...others } = said;
  const names = labels?.some((label) => label !== "") ? labels : undefined;
  const problems = told === undefined ? [] : [told];
  const ofUnit = unit ? ` ${unit}` : "";
  const isStep = scale === undefined || Number.isFinite(scale) && scale !== 0 && !(isRising && scale < 0);
  if (!isStep) problems.push(`steps of ${scale}${ofUnit}: its scale is not used`);
  const isPlace = offset === undefined || Number.isFinite(offset);
  if (!isPlace) problems.push(`its first sample at ${offset}${ofUnit}, which is not a place: it is not used`);
  const problem = positions && positionsProblem(positions, count);
  if (problem) problems.push(`${problem}: they are not used`);
  const isNamed = names === undefined || names.length === count;
  if (!isNamed) problems.push(`${names.length} names for ${count} samples: they are not used`);
  else if (names) problems.push(...sameNames(names));
  const axis = {
    ...others,
    ...(scale !== undefined && isStep ? { scale } : {}),
    ...(offset !== undefined && isStep && isPlace ? { offset } : {}),
    ...(unit !== undefined && isStep ? { unit } : {}),
    ...(positions && !problem ? { positions } : {}),
    ...(names && isNamed ? { names } : {}),
  };
  return { axis, problems };
}

/** Why positions cannot be those of `count` samples. */
function positionsProblem(positions: readonly number[], count: number): string | undefined {
  if (positions.length !== count) return `${positions.length} positions for ${count} samples`;
  if (!positions.every(Number.isFinite)) return "positions that are not numbers";
  const isOnePlace = count > 1 && positions.every((place) => place === positions[0]);
  return isOnePlace ? `${count} samples at one position` : undefined;
}

/** Samples of one name, as far as any are. */
function sameNames(names: readonly string[]): string[] {
  const twice = new Set(names.filter((name, n) => name !== "" && names.indexOf(name) !== n));
  return [...twice].map((name) => {
    const numbers = [...names.keys()].filter((n) => names[n] === name);
    return `several samples called ${JSON.stringify(name)}: choose one of them by its number, ${
      numbers.join(", ")
    }`;
  });
}
