/**
 * The axes of the samples of a group, in any order, and its parameters by name.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Cards, Unit } from "../../formats/fits/cards.ts";
import { UVFITS_READ, type UvfitsName } from "../meaning/uvfits.ts";

/** An axis of the samples. */
export interface Axis {
  /** What follows its name, such as `LSR`; empty: nothing. */
  readonly suffix: string;
  /** Samples along it. */
  readonly size: number;
  /** Numbers from one of them to the next. */
  readonly stride: number;
  /** What it has at each: CRVAL + (i + 1 − CRPIX) · CDELT; another step may stand for CDELT. */
  readonly valueAt: (i: number, step?: number) => number;
  /** CRVAL. */
  readonly reference: number;
  /** From one value to the next. */
  readonly step: number;
}

/** The axes by name. */
export type Axes = Readonly<Partial<Record<UvfitsName<"axes">, Axis>>>;

/** The axes of the samples. Errors: `unsupported` for others that are longer than 1. */
export function axesOf({ cards, shape }: Unit): Axes {
  const found: Partial<Record<string, Axis>> = {};
  let stride = 1;
  for (let n = 2; n <= shape.length + 1; n++) { // NAXIS1 is 0
    const size = shape[shape.length + 1 - n]!;
    const [, name = "", suffix = ""] = /^([^-]*)-*(.*)$/.exec(cards.text(`CTYPE${n}`).trim().toUpperCase()) ??
      [];
    const [value, pixel, step] = [
      cards.number(`CRVAL${n}`, 0),
      cards.number(`CRPIX${n}`, 1),
      cards.number(`CDELT${n}`, 1),
    ];
    const isKnown = name in UVFITS_READ.axes;
    if (!isKnown && size > 1) throw unknownAxis(cards, `CTYPE${n}`);
    if (isKnown && found[name]) throw cards.error(`CTYPE${n}`, `no second axis ${name}`);
    if (isKnown) {
      found[name] = {
        suffix,
        size,
        stride,
        step,
        reference: value,
        valueAt: (i, by = step) => value + (i + 1 - pixel) * by,
      };
    }
    stride *= size;
  }
  return found as Axes;
}

/** An axis that there must be. */
export function axisOf(axes: Axes, name: UvfitsName<"axes">, file: string): Axis {
  const axis = axes[name];
  if (axis) return axis;
  const text = `Cannot read ${file} as UVFITS: its groups have no axis ${name}; they have ${
    Object.keys(axes).join(", ")
  }`;
  throw new TilewiseError("malformed", text, { file, expected: name, found: Object.keys(axes).join() });
}

function unknownAxis(cards: Cards, keyword: string): TilewiseError {
  const { file } = cards,
    found = cards.text(keyword).trim(),
    expected = Object.keys(UVFITS_READ.axes).join(", ");
  const text =
    `Cannot read ${file} as UVFITS: its groups have the axis "${found}" (${keyword}); read are ${expected}`;
  return new TilewiseError("unsupported", text, { file, expected, found });
}

/** One of the stored parameters that make up a parameter: what it means is their sum. */
interface Term {
  /** Its place among the parameters. */
  readonly place: number;
  /** By what it is multiplied. */
  readonly scale: number;
  /** What is added to it. */
  readonly zero: number;
}

/** A parameter of the groups. */
export interface Parameter {
  /** What follows its name, such as `SIN` or `L-SIN`; empty: nothing. */
  readonly suffix: string;
  /** What is added up. */
  readonly terms: readonly Term[];
}

/** Names of parameters that have suffixes. */
const BASELINES = /^(UU|VV|WW)-*(.*?)-*$/;

/** The parameters by name. Errors: `malformed` where terms of one name have several suffixes. */
export function parametersOf(cards: Cards): ReadonlyMap<string, Parameter> {
  const found = new Map<string, { suffix: string; terms: Term[] }>();
  const count = cards.count("PCOUNT", 0, 999);
  for (let n = 1; n <= count; n++) {
    const full = cards.text(`PTYPE${n}`).trim().toUpperCase().replace(/^_+/, ""); // a second term may be _DATE
    const [, name = full, suffix = ""] = BASELINES.exec(full) ?? [];
    const term = { place: n - 1, scale: cards.number(`PSCAL${n}`, 1), zero: cards.number(`PZERO${n}`, 0) };
    const known = found.get(name);
    if (known && known.suffix !== suffix) {
      throw cards.error(`PTYPE${n}`, `${name} as before, with "${known.suffix}"`);
    }
    if (known) known.terms.push(term);
    else found.set(name, { suffix, terms: [term] });
  }
  return found;
}

/** The value of a parameter in the numbers of a group, `offset` of which is added first, so that no digits are lost. */
export function valueOf({ terms }: Parameter, numbers: ArrayLike<number>, at: number, offset = 0): number {
  let sum = offset;
  for (const { zero } of terms) sum += zero;
  for (const { place, scale } of terms) sum += numbers[at + place]! * scale;
  return sum;
}
