/**
 * Writes FITS: images and cubes of integers and floats, with names, steps and units of linear axes.
 *
 * Sources: FITS standard 4.0, sections 4.4.2, 5 and 8.
 *
 * @module
 */

import type { AxisFacts, AxisKind } from "../../space/axes.ts";
import { type DType, dtypeInfo } from "../../space/dtype.ts";
import { withoutMicro } from "../../space/meaning/units.ts";
import { fitsKind, fitsUnit, isUnevenInFits } from "../../space/meaning/said_kinds.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { type CardValue, FITS_TYPES, fitsHeader, isShifted, wholeBlocks } from "../fits/head.ts";
import type { AxisKept, DescribedArray, ValueKept } from "../losses.ts";
import { targetNamed } from "../registry.ts";
import { cannotHold, type FramesToWrite, plainLayout, type RowTarget, type WrittenLayout } from "./layout.ts";

/** Most axes that a FITS image has. */
const MOST_AXES = 999;

/** FITS. */
export const fitsTarget: RowTarget = {
  ...targetNamed("fits"),
  keeps: {
    axes: ({ axes = [] }) => axes.map((axis, d) => ({ ...axisKept(axis), upwards: d === axes.length - 2 })),
    kinds: kindsTaken,
    scan: ({ shape }) => Math.max(0, shape.length - 2), // readers take the last two for the image
    values: valuesKept,
    types: { bool: "uint8" },
  },
  layout(frames) {
    const { nav, sig, dtype, axes = [] } = frames, shape = [...nav, ...sig];
    const fits = FITS_TYPES.includes(dtype) && shape.length > 0 && shape.length <= MOST_AXES;
    if (!fits || sizeOf(shape) === 0) {
      throw cannotHold(
        frames,
        "FITS",
        `samples, of 1 to ${MOST_AXES} dimensions, of ${FITS_TYPES.join(", ")}`,
      );
    }
    const cards = shape.map((_, d) => axisCards(axes[d] ?? {}, shape.length - d));
    return fitsLayout(shape, dtype, Object.assign(valueCards(frames), ...cards.toReversed()));
  },
};

/** How an array lies in FITS, with these cards behind those that follow from its samples. */
export function fitsLayout(
  shape: Shape,
  dtype: DType,
  cards: Readonly<Record<string, CardValue>>,
): WrittenLayout {
  const bytes = sizeOf([...shape, dtypeInfo(dtype).itemSize]);
  return {
    ...plainLayout(fitsHeader(shape, dtype, cards)),
    byteOrder: "big",
    isShifted: isShifted(dtype),
    tailBytes: wholeBlocks(bytes) - bytes,
  };
}

/** The cards of an axis, which has number `i` in the header; as the standard wants it, steps have a unit and a first value. */
function axisCards(axis: AxisFacts, i: number): Record<string, CardValue> {
  const { name, unit } = axis, kept = axisKept(axis), { scale = 1, offset = 0 } = axis;
  const isSaid = axis.scale ?? axis.offset ?? unit;
  return {
    ...(kept.name && name ? { [`CTYPE${i}`]: name } : {}),
    ...(kept.scale && isSaid !== undefined
      ? { [`CRPIX${i}`]: 1, [`CRVAL${i}`]: offset, [`CDELT${i}`]: scale }
      : {}),
    ...(kept.scale && unit ? { [`CUNIT${i}`]: inAscii(unit) } : {}),
  };
}

/** What readers take axes for, by what is written of them. */
function kindsTaken({ axes = [] }: DescribedArray): (AxisKind | undefined)[] {
  return axes.map((axis) => {
    const { name, scale } = axisKept(axis);
    return fitsKind(name ? axis.name ?? "" : "", scale ? axis.unit ?? "" : "");
  });
}

/** Names and units are ASCII, steps are even and not 0; a name does not say a unit, or uneven steps, that the axis does not have. */
function axisKept({ name = "", unit = "", scale = 1, offset = 0, positions }: AxisFacts): AxisKept {
  const isEven = !positions && scale !== 0 && Number.isFinite(scale) && Number.isFinite(offset);
  const isKept = isEven && fits(inAscii(unit));
  const isTrue = (unit !== "" || fitsUnit(name) === "") && !isUnevenInFits(name);
  return { name: fits(name) && isTrue, scale: isKept, offset: isKept };
}

/** The unit of the samples, and of integers the number of those that are missing, as it is stored. */
function valueCards({ dtype, values }: FramesToWrite): Record<string, CardValue> {
  const { unit, missing = 0 } = values ?? {}, kept = valuesKept({ shape: [], dtype, values: values! });
  const half = dtype === "int8" ? -128 : isShifted(dtype) ? 2 ** (8 * dtypeInfo(dtype).itemSize - 1) : 0;
  return {
    ...(unit && kept.includes("unit") ? { BUNIT: inAscii(unit) } : {}),
    ...(kept.includes("missing") ? { BLANK: missing - half } : {}),
  };
}

function valuesKept({ dtype, values }: DescribedArray): ValueKept[] {
  const { unit, missing } = values ?? {};
  const hasBlank = Number.isSafeInteger(missing) && !"fc".includes(dtypeInfo(dtype).kind) &&
    !dtype.endsWith("64");
  return [...(fits(inAscii(unit ?? "")) ? ["unit" as const] : []), ...(hasBlank ? ["missing" as const] : [])];
}

/** A unit as FITS spells it: `um`, `nm-1`. */
function inAscii(unit: string): string {
  const text = withoutMicro(unit).replace(/[ÅÅ]/g, "Angstrom").replace(/°/g, "deg");
  return text.replace(/^1\s*\/\s*([A-Za-z]+)$/, "$1-1");
}

/** Whether a card can hold a text: up to 68 characters of ASCII, with quotes twice; blanks at its end would be lost. */
function fits(text: string): boolean {
  return /^[ -~]*$/.test(text) && !text.endsWith(" ") && text.replaceAll("'", "''").length <= 68;
}
