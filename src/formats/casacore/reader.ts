/**
 * Tables of casacore, such as Measurement Sets: every column of numbers is a data set.
 *
 * @module
 */

import { StoredDataset } from "../../dataset/dataset.ts";
import { isTilewiseError, TilewiseError } from "../../errors.ts";
import type { ByteSource } from "../../io/source/source.ts";
import { dtypeInfo } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import { fileDataset, splitShape } from "../common/arrange.ts";
import { noSuchArray } from "../common/array_names.ts";
import type { FormatInput, Listed, Some } from "../common/format.ts";
import type { OpenOptions } from "../common/options.ts";
import type { Column } from "./description.ts";
import { fromInside, joined, type TableFiles } from "./files.ts";
import { layoutOfSections, NO_NUMBERS, shapeOf } from "./stored.ts";
import { DESCRIPTION } from "./format.ts";
import { Table } from "./table.ts";
import { dtypeOfType } from "./record.ts";

/** Rows from which on columns that take memory per row are opened only by their names. */
const MANY_ROWS = 2 ** 20;

/** Whether a place is read for every row of a column. */
function isByRow(column: Column, table: Table): boolean {
  return table.rows > MANY_ROWS && !column.isScalar && !column.isDirect &&
    table.managersOf(column).some((type) => type === "IncrementalStMan" || type === "StandardStMan");
}

/** Opens the columns; of long tables, those that take memory per row are left out unless they are asked for. */
export async function openSome(input: FormatInput, options: OpenOptions): Promise<Some> {
  const opened = new Map<string, Promise<ByteSource>>();
  const name = input.source.name.replace(/[/\\]table\.dat$/, ""), own = name.replace(/^.*[/\\]/, "");
  const filesOf = (place: string): TableFiles => ({
    name: place.startsWith("/") ? place : `${name.slice(0, name.length - own.length)}${place}`,
    signal: options.signal,
    open: (file) => {
      const path = fromInside(`${place}/${file}`, own);
      const found = opened.get(path) ??
        (path === DESCRIPTION ? Promise.resolve(input.source) : input.openBeside(path));
      opened.set(path, found);
      return found;
    },
    other: (path) => filesOf(joined(place, path)),
  });
  const main = await Table.open(filesOf(own));
  const { table, prefix, asked } = await find(main, options.array);
  const wanted = asked === undefined
    ? table.columns.filter(({ type }) => dtypeOfType(type) !== undefined)
    : table.columns.filter(({ name }) => name === asked);
  if (wanted.length === 0) throw nothing(main, table, input.name, options.array);
  const datasets: StoredDataset[] = [], problems: string[] = [];
  const short = asked === undefined ? wanted.filter((column) => !isByRow(column, table)) : wanted;
  const opening = short.length > 0 ? short : wanted.slice(0, 1);
  for (const column of opening) {
    try {
      datasets.push(await datasetOf(table, column, `${prefix}${column.name}`, input, options));
    } catch (error) {
      if (asked !== undefined || !isTilewiseError(error, "unsupported")) throw error;
      if (error.details.found !== NO_NUMBERS) problems.push(error.message);
    }
  }
  if (datasets.length === 0) {
    throw new TilewiseError("unsupported", problems.slice(0, MOST_PROBLEMS).join("; "), { file: input.name });
  }
  const warnings = problems.slice(0, MOST_PROBLEMS);
  const arrays = datasets.map((one) =>
    new StoredDataset({ ...one, warnings: [...one.warnings, ...warnings] })
  );
  return {
    arrays,
    left: wanted.filter((column) => !opening.includes(column)).map((one) => listed(one, table)),
  };
}

/** A column that is not opened. */
function listed({ name, type, shape = [] }: Column, { rows }: Table): Listed {
  return { array: name, byteLength: sizeOf([rows, ...shape]) * dtypeInfo(dtypeOfType(type)!).itemSize };
}

/** Columns that cannot be read, that are told. */
const MOST_PROBLEMS = 8;

/** The table of a column: the table itself, or one that belongs to it, as in `ANTENNA/POSITION`. */
async function find(
  main: Table,
  array: string | undefined,
): Promise<{ table: Table; prefix: string; asked?: string }> {
  const [, name, asked] = /^(.*)\/([^/]*)$/.exec(array ?? "") ?? [];
  if (array === undefined) return { table: main, prefix: "" };
  if (name === undefined || !main.subtables.has(name)) return { table: main, prefix: "", asked: array };
  return { table: await main.subtable(name), prefix: `${name}/`, asked: asked! };
}

async function datasetOf(
  table: Table,
  column: Column,
  array: string,
  input: FormatInput,
  options: OpenOptions,
): Promise<StoredDataset> {
  const stored = await table.stored(column);
  const shape = shapeOf(stored, column, input.name);
  const [navShape, sigShape] = splitShape(shape, options.sigDims, input.name);
  return fileDataset(input, {
    array,
    images: sizeOf(navShape),
    navShape,
    sigShape,
    keepsFrames: "it is a column of a table",
    layout: layoutOfSections(stored, shape, sigShape.length),
    metadata: {
      column: column.name,
      comment: column.comment,
      manager: table.managersOf(column).join(", "),
      keywords: column.keywords,
      rows: table.rows,
      ...ownKeywords(table),
      subtables: [...table.subtables],
    },
  }, options);
}

/** Keywords of a table that are not references to others. */
function ownKeywords({ keywords, subtables }: Table): Record<string, unknown> {
  const own = Object.entries(keywords).filter(([name]) => !subtables.has(name));
  return own.length === 0 ? {} : { tableKeywords: Object.fromEntries(own) };
}

/** Why there is no array. */
function nothing(main: Table, table: Table, file: string, asked: string | undefined): TilewiseError {
  if (asked === undefined) {
    const text = `There is no column of numbers in ${file}; its columns are ` +
      (table.columns.map(({ name }) => name).join(", ") || "none");
    return new TilewiseError("unsupported", text, { file, found: NO_NUMBERS });
  }
  const columns = table.columns.filter(({ type }) => dtypeOfType(type)).map(({ name }) => name);
  const more = [...main.subtables.keys()].map((name) => `${name}/…`);
  return noSuchArray(file, asked, [...columns, ...(table === main ? more : [])]);
}
