/**
 * Which groups are the rows of an observation: those of one source and one setup of frequencies.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Cards } from "../../formats/fits/cards.ts";
import { directionFrame } from "../meaning/uvfits.ts";
import { motionOf } from "../meaning/uvh5.ts";
import { type Axes, axisOf } from "./axes.ts";
import { BLOCK_ROWS, numbersOf, type Rows } from "./parameters.ts";
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

/** What is asked for. */
export interface SelectOptions {
  /** The source, by name or by what rows call it. */
  readonly field?: string | number;
  /** What rows have as FREQSEL. */
  readonly dataDescription?: number;
}

/** What was selected. */
export interface Selected {
  /** What rows call the source. */
  readonly number: number;
  /** What they have as FREQSEL. */
  readonly setup: number;
  readonly rows?: Uint32Array;
  readonly warnings: readonly string[];
}

/** The rows of one source and one setup of frequencies: those that are asked for, or those of the first row. */
export async function select(
  of: Rows & { readonly sources: ReadonlyMap<number, StoredSource> },
  options: SelectOptions,
): Promise<Selected> {
  const { groups, parameters, sources, file } = of;
  const asked = options.field === undefined ? undefined : named(sources, options.field, file);
  const hasTable = !sources.has(0) || sources.size > 1;
  const bySource = hasTable ? parameters.get("SOURCE") : undefined, bySetup = parameters.get("FREQSEL");
  const columns = [bySource, bySetup].map((one) => one && numbersOf(of, one));
  let number = asked ?? (bySource ? undefined : 0),
    setup = options.dataDescription ?? (bySetup ? undefined : 1);
  const rows = new Uint32Array(groups.count), others = [new Set<number>(), new Set<number>()] as const;
  let count = 0;
  for (let start = 0; start < groups.count; start += BLOCK_ROWS) {
    const stop = Math.min(groups.count, start + BLOCK_ROWS);
    const [own, setups] = await Promise.all(columns.map((column) => column?.read(start, stop)));
    for (let i = 0; i < stop - start; i++) {
      const source = Number(own?.[i] ?? number), of = Number(setups?.[i] ?? 1);
      others[0].add(source);
      others[1].add(of);
      if (asked === undefined) number ??= source;
      if (number === source) setup ??= of;
      if (number === source && setup === of) rows[count++] = start + i;
    }
  }
  number ??= sources.keys().next().value ?? 0;
  if (!sources.has(number)) {
    const text = `Cannot read ${file} as UVFITS: rows are of the source ${number}, which AIPS SU has not`;
    throw new TilewiseError("malformed", text, { file, expected: [...sources.keys()].join(), found: number });
  }
  if (count === 0 && groups.count > 0) throw noRows(options, sources.get(number)!, file);
  others[0].delete(number);
  others[1].delete(setup ?? 1);
  const fields = [...others[0]].map((id) => sources.get(id)?.name ?? String(id)),
    left = [...others[1]].join(", ");
  const warnings = [
    ...(options.field === undefined && fields.length > 0
      ? [
        `Took the field ${sources.get(number)!.name}, that of the first row; there are also ${
          fields.join(", ")
        }`,
      ]
      : []),
    ...(options.dataDescription === undefined && left !== ""
      ? [`Took data description ${setup} (FREQSEL), that of the first row; others are ${left}`]
      : []),
  ];
  return {
    number,
    setup: setup ?? 1,
    warnings,
    ...(count < groups.count ? { rows: rows.slice(0, count) } : {}),
  };
}

function noRows(
  { dataDescription }: SelectOptions,
  { name }: StoredSource,
  file: string,
): TilewiseError {
  const setup = dataDescription === undefined ? "" : ` with data description ${dataDescription} (FREQSEL)`;
  const text = `There are no rows of field "${name}"${setup} in ${file}`;
  return new TilewiseError("not-found", text, { file, option: setup === "" ? "field" : "dataDescription" });
}

/** The number of a source in rows, by that number or by its name. */
function named(sources: ReadonlyMap<number, StoredSource>, asked: string | number, file: string): number {
  const number = typeof asked === "number"
    ? asked
    : [...sources].find(([, { name }]) => name === asked)?.[0] ?? -1;
  if (sources.has(number)) return number;
  const known = [...sources].map(([id, { name }]) => `${id} "${name}"`).join(", ");
  const text = `There is no field ${
    typeof asked === "number" ? asked : `"${asked}"`
  } in ${file}; it has ${known}`;
  throw new TilewiseError("not-found", text, { file, option: "field", found: asked });
}
