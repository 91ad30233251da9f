/**
 * Which correlations are predicted for those that are wanted, in any order.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { CIRCULAR, type Correlation, LINEAR, STOKES, sumsFor } from "../predict/correlations.ts";

/** Correlations to predict, and the places of the wanted ones among them. */
export interface Chosen {
  /** What is predicted. */
  readonly predicted: readonly Correlation[];
  /** Which of them are wanted, in their order. */
  readonly select: readonly number[];
}

/**
 * Predictions have some sets of correlations, in one order; observations have any, such as XX, YY, XY, YX. Errors: `invalid`
 * for names of different feeds together. With `all`, all four of a set are predicted, as terms need them.
 */
export function chosen(wanted: readonly string[], all = false): Chosen {
  mustDiffer(wanted);
  const isSet = isPredicted(wanted) && (!all || wanted.length === 4);
  const family = [LINEAR, CIRCULAR, STOKES].find((all) => wanted.every((name) => isIn(all, name)));
  if (!isSet && (family === undefined || wanted.length === 0)) {
    const known = [LINEAR, CIRCULAR, STOKES].map((all) => all.join(", ")).join(" or ");
    const text = `Cannot predict the correlations ${wanted.join(", ") || "(none)"}; all must be of ${known}`;
    throw new TilewiseError("invalid", text, { option: "correlations", found: wanted.join() });
  }
  const predicted = isSet ? wanted as readonly Correlation[] : family!;
  return { predicted, select: wanted.map((name) => predicted.indexOf(name as Correlation)) };
}

/** Refuses a correlation that is named twice: files tell them apart by their names. */
export function mustDiffer(names: readonly string[]): void {
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice === undefined) return;
  const text = `The correlation ${twice} is asked for twice: ${names.join(", ")}`;
  throw new TilewiseError("invalid", text, { option: "correlations", found: twice });
}

function isIn(all: readonly Correlation[], name: string): boolean {
  return all.includes(name as Correlation);
}

/** Whether predictions have these correlations as they are. */
function isPredicted(wanted: readonly string[]): boolean {
  try {
    sumsFor(wanted as readonly Correlation[], true, "");
    return true;
  } catch {
    return false;
  }
}
