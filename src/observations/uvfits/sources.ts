/**
 * The sources that were observed: those of AIPS SU, or the one of the axes RA and DEC.
 *
 * @module
 */

import type { Cards } from "../../formats/fits/cards.ts";
import { directionFrame } from "../meaning/uvfits.ts";
import { motionOf } from "../meaning/uvh5.ts";
import { type Axes, axisOf } from "./axes.ts";
import type { AipsTable } from "./tables.ts";

/** A source. */
export interface StoredSource {
  readonly name: string;
  readonly frame: string;
  /** Longitude and latitude in radians. */
  readonly direction: readonly [number, number];
  /** Why its direction is not the same at all times. */
  readonly moves?: string;
  /** What is added to the frequencies of each IF. */
  readonly offsets: readonly number[];
}

const DEGREE = Math.PI / 180;

/** The sources by what rows call them; one under 0 where rows say nothing of sources. */
export function sourcesOf(
  cards: Cards,
  axes: Axes,
  [table]: readonly AipsTable<"AIPS SU">[],
  hasSources: boolean,
): Map<number, StoredSource> {
  const found = new Map<number, StoredSource>();
  for (let row = 0; table && hasSources && row < table.rows; row++) {
    const number = table.numbers("ID. NO.", row)[0] ?? row + 1;
    found.set(number, sourceIn(cards, table, row));
  }
  if (found.size > 0) return found;
  const ra = axisOf(axes, "RA", cards.file), dec = axisOf(axes, "DEC", cards.file);
  return found.set(0, {
    name: cards.text("OBJECT").trim(),
    ...directed(cards, [ra.valueAt(0) * DEGREE, dec.valueAt(0) * DEGREE], equinoxOf(cards), []),
    offsets: [],
  });
}

function sourceIn(cards: Cards, table: AipsTable<"AIPS SU">, row: number): StoredSource {
  const [ra = NaN] = table.numbers("RAEPO", row, "rad", "deg"),
    [dec = NaN] = table.numbers("DECEPO", row, "rad", "deg");
  const [equinox] = table.numbers("EPOCH", row), [quality = 0] = table.numbers("QUAL", row);
  const motions = [table.numbers("PMRA", row)[0], table.numbers("PMDEC", row)[0]];
  return {
    name: table.textAt("SOURCE", row) + (quality === 0 ? "" : `_${quality}`),
    ...directed(cards, [ra, dec], equinox ?? equinoxOf(cards), motions),
    offsets: table.numbers("FREQOFF", row, "Hz"),
  };
}

/** The equinox of the header. */
function equinoxOf(cards: Cards): number | undefined {
  const found = [cards.values.get("EQUINOX"), cards.values.get("EPOCH")].find((value) =>
    typeof value === "number"
  );
  return typeof found === "number" ? found : undefined;
}

/** A direction with its frame. */
function directed(
  cards: Cards,
  direction: readonly [number, number],
  epoch: number | undefined,
  motions: readonly (number | undefined)[],
): Pick<StoredSource, "frame" | "direction" | "moves"> {
  const named = (["PHSFRAME", "RADESYS", "RADESYSA"] as const).map((name) => cards.text(name)).find((text) =>
    text !== ""
  );
  const frame = directionFrame(named ?? "", epoch);
  const moves = epoch === -1
    ? "it was tracked by the correlator (EPOCH is -1): it moves, which is not read"
    : motionOf({ type: undefined, frame, epoch, motions });
  return { frame, direction, ...(moves === undefined ? {} : { moves }) };
}
