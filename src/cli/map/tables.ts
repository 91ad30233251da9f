/**
 * Results of `map` that are tables: printed, or written as `.csv` or `.json` with a manifest beside them.
 *
 * @module
 */

import { sha256 } from "../../io/hash.ts";
import { type PendingFile, writeFilesAtomic } from "../../io/write/write.ts";
import { TilewiseError } from "../../errors.ts";
import { manifestIn, manifestOfForm, manifestRows, type OutputFiles } from "../manifests/files.ts";
import type { Arguments } from "../shell/args.ts";
import { type CliIo, outJson, outTable } from "../shell/io.ts";
import type { Planned } from "./request.ts";
import { withInput } from "./filtered.ts";
import { MAP_FORM, type MapResult, saidOfMap } from "./manifest.ts";
import { type Columns, csvLines } from "../../analyses/objects.ts";
import type { Table, TableReduction } from "../reductions/reduction.ts";
import { pass } from "../shell/progress.ts";

/** Computes the table. */
export async function tableOf(
  { asked }: Pick<Planned, "asked">,
  row: TableReduction,
  out: string | undefined,
  told: { readonly args: Arguments; readonly io: CliIo },
): Promise<Table> {
  return await pass(
    "map",
    asked.dataset.byteLength,
    told,
    (settings) => withInput(asked, out, settings, (input) => row.table(input)),
  );
}

/** Computes the table, writes or prints it. */
export async function deliverTable(
  planned: Planned,
  row: TableReduction,
  place: (OutputFiles & { readonly out: string }) | undefined,
  told: { readonly args: Arguments; readonly io: CliIo },
): Promise<void> {
  const { args, io } = told;
  const { source } = planned.asked, out = place?.out;
  const { columns, facts, summary } = await tableOf(planned, row, out, told);
  const rows = rowsOf(columns);
  const result = out === undefined ? undefined : await tableResult(row.name, out, columns);
  if (out !== undefined && place && result) {
    const said = () => saidOfMap(planned, [result], args);
    const { pending, gone } = await manifestOfForm(MAP_FORM, place, [out], said, args);
    await writeFilesAtomic([tableFile(out, columns), ...pending], gone);
  }
  if (args.has("json")) {
    const head = { source, result: row.name, ...facts, rows };
    if (out === undefined || !result) return outJson(io, { ...head, columns: printed(columns, rows) });
    return outJson(io, { ...head, files: [out], ...manifestIn(place ?? {}), sha256: result.sha256 });
  }
  outTable(io, [
    ...summary,
    ...(out === undefined ? [] : [["table", `${out}, ${rows} rows`] as const]),
    ...manifestRows(place ?? {}),
  ]);
}

/** A table in the file at `path`, for a manifest. */
export async function tableResult(result: string, path: string, columns: Columns): Promise<MapResult> {
  const shape = [rowsOf(columns)], sha256 = await tableDigest(columns);
  return { result, shape, dtype: "object", sha256, files: [path] };
}

/** SHA-256 of the columns as JSON. */
export async function tableDigest(columns: Columns): Promise<string> {
  return await sha256(new TextEncoder().encode(JSON.stringify(plain(columns))));
}

/** Most rows that are printed as JSON. */
const MOST_PRINTED = 2 ** 20;

function printed(columns: Columns, rows: number): Readonly<Record<string, unknown>> {
  if (rows <= MOST_PRINTED) return plain(columns);
  const text =
    `Cannot print ${rows} rows as JSON: ${MOST_PRINTED} are the most; write them with -o table.csv`;
  throw new TilewiseError("over-budget", text, { expected: MOST_PRINTED, found: rows });
}

function rowsOf(columns: Columns): number {
  return Object.values(columns)[0]?.length ?? 0;
}

/** The columns as JSON has them: as texts, NaN, infinities, and whole numbers that JSON's readers would round. */
function plain(columns: Columns): Readonly<Record<string, unknown[]>> {
  const isExact = (n: number | bigint) =>
    typeof n === "number" ? Number.isFinite(n) : Number.isSafeInteger(Number(n));
  const value = (n: number | bigint) => isExact(n) ? Number(n) : String(n);
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, Array.from(column, value)]),
  );
}

/** The table as a file. */
export function tableFile(path: string, columns: Columns): PendingFile {
  const isJson = /\.json$/i.test(path);
  return { path, content: () => isJson ? jsonText(columns) : csvLines(columns) };
}

function jsonText(columns: Columns): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(plain(columns)) + "\n");
}
