/** A column with predicted visibilities in a Measurement Set: the values of a `.npy`, in the rows that were asked for. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { cp } from "node:fs/promises";
import { TilewiseError } from "../../../src/errors.ts";
import { Folder, type MsTable, numbersOf, storedRows } from "../../../src/observations/ms_columns.ts";
import { openObservation } from "../../../src/observations/open.ts";
import { planColumn, type PredictColumnOptions } from "../../../src/rime/observed/predict_column.ts";
import { planObservation } from "../../../src/rime/observed/predict_observation.ts";
import { createContext } from "../../../src/runner/context.ts";
import { readSky } from "../../../src/skies/read.ts";
import { withFolder } from "../../cli/harness.ts";
import { contents } from "../../io/failing_writes.ts";
import { pathOf } from "../expected.ts";

const SKY = await readSky(
  new TextEncoder().encode("Name,Ra,Dec,I,Q\na,71.62,-28.65,1.5,0.1\nb,71.7,-28.6,0.5,0\n"),
);

/** The cells of a column, row by row, as hexadecimal numbers; absent where there is no value. */
async function cellsOf(ms: string, name: string): Promise<(string | undefined)[]> {
  await using folder = new Folder(ms);
  const table = await folder.table();
  const main: MsTable<"MAIN"> = { name: "MAIN", table, file: ms };
  const column = table.column(name)!;
  const cells: (string | undefined)[] = [];
  for (let row = 0; row < table.rows; row++) {
    if ((await table.filled(column, [row]))?.length === 0) cells.push(undefined);
    else {
      await using array = await storedRows(main, column, [row]);
      const data = await array.read(0, 1);
      cells.push(new Uint8Array(data.buffer, data.byteOffset, data.byteLength).toHex());
    }
  }
  return cells;
}

/** The cells as a `.npy` has them, in single precision, by the number of the row in the set. */
async function predicted(
  ms: string,
  folder: string,
  options: PredictColumnOptions,
): Promise<Map<number, string>> {
  const found = new Map<number, string>();
  for (const field of [0, 1]) {
    for (const dataDescription of [0, 1]) {
      await using observation = await openObservation(ms, { field, dataDescription });
      const { precision = "f64", context } = options;
      const path = `${folder}/x.npy`;
      await (await planObservation(SKY, observation, path, { precision, ...(context ? { context } : {}) }))
        .run();
      const bytes = await Deno.readFile(path);
      const head = 10 + new DataView(bytes.buffer).getUint16(8, true);
      const numbers = precision === "f64"
        ? Float32Array.from(new Float64Array(bytes.slice(head).buffer))
        : new Float32Array(bytes.slice(head).buffer);
      const rows = await rowsOf(ms, field, dataDescription);
      const each = numbers.length / rows.length;
      rows.forEach((row, i) =>
        found.set(row, new Uint8Array(numbers.slice(i * each, (i + 1) * each).buffer).toHex())
      );
    }
  }
  return found;
}

async function rowsOf(ms: string, field: number, description: number): Promise<number[]> {
  await using folder = new Folder(ms);
  const main: MsTable<"MAIN"> = { name: "MAIN", table: await folder.table(), file: ms };
  const fields = Array.from(await numbersOf(main, "FIELD_ID"));
  const descriptions = await numbersOf(main, "DATA_DESC_ID");
  return fields.flatMap((own, row) => own === field && descriptions[row] === description ? [row] : []);
}

/** Calls `body` with a copy of a set of two fields, whose two data descriptions have different shapes, row after row. */
async function withSet(body: (ms: string, folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const ms = `${folder}/day.ms`;
    await cp(pathOf("small.ms"), ms, { recursive: true });
    await body(ms, folder);
  });
}

Deno.test("a column has the values of a .npy of the same rows, whatever the memory and the workers are", async () => {
  for (const precision of ["f64", "mixed"] as const) {
    await withSet(async (ms, folder) => {
      const before = contents(ms);
      const data = await cellsOf(ms, "DATA");
      await using context = createContext({ memory: precision === "f64" ? "1MiB" : "64MiB", workers: 0 });
      await using plan = await planColumn(SKY, ms, "PREDICTED_DATA", { precision, context });
      assertEquals([plan.isReplaced, plan.kept, plan.groups.length, plan.warnings], [false, 0, 4, []]);
      assertEquals(contents(ms), before);
      let last = 0;
      await plan.run({ onProgress: ({ tiles, tilesTotal }) => last = tiles / tilesTotal });
      assertEquals(last, 1);
      const cells = await cellsOf(ms, "PREDICTED_DATA");
      const expected = await predicted(ms, folder, { precision, context });
      assertEquals(cells, data.map((_, row) => expected.get(row)));
      assertEquals(await cellsOf(ms, "DATA"), data);
      const now = contents(ms);
      const files = plan.files.map((path) => path.slice(ms.length + 1));
      for (const name of [...Object.keys(before), ...files, "table.lock"]) {
        if (/^table\.(dat|lock)$/.test(name) || files.includes(name)) delete now[name];
        else assertEquals(now[name], before[name], name);
      }
      assertEquals(
        Object.keys(now).sort(),
        Object.keys(before).filter((name) => !/dat|lock/.test(name)).sort(),
      );
    });
  }
});

Deno.test("rows of other fields and data descriptions keep their values, or are 0 in a new column", async () => {
  await withSet(async (ms, folder) => {
    const old = await cellsOf(ms, "MODEL_DATA");
    const expected = await predicted(ms, folder, {});
    const rows = await rowsOf(ms, 1, 0);
    for (
      const [column, others] of [["MODEL_DATA", (row: number) => old[row]], ["NEW_DATA", zeros(old)]] as const
    ) {
      await using plan = await planColumn(SKY, ms, column, { field: 1, spectralWindow: 0 });
      const what = column === "MODEL_DATA" ? "keep their values" : "are 0";
      assert(plan.explain().includes(`${old.length - rows.length} other rows ${what}`), plan.explain());
      await plan.run();
      const found = await cellsOf(ms, column);
      assertEquals(found, old.map((_, row) => rows.includes(row) ? expected.get(row) : others(row)), column);
    }
    assertEquals(Object.keys(contents(ms)).some((name) => /^table\.f1/.test(name)), false); // where it was before
  });
});

function zeros(cells: readonly (string | undefined)[]): (row: number) => string {
  return (row) => cells[row]!.replace(/./g, "0");
}

Deno.test("a prediction that is refused or cancelled leaves the set as it was", async () => {
  await withSet(async (ms) => {
    const before = contents(ms);
    const refused = async (column: string, code: string, options: PredictColumnOptions = {}) => {
      const error = await assertRejects(async () => {
        await using plan = await planColumn(SKY, ms, column, options);
        await plan.run(options);
      }, TilewiseError);
      assertEquals(error.code, code, error.message);
      assertEquals(contents(ms), before, column);
    };
    for (const column of ["DATA", "UVW", "FLAG", "WEIGHT_SPECTRUM", "SCAN_NUMBER"]) {
      await refused(column, "invalid");
    }
    await refused("MODEL_DATA", "not-found", { field: "none" });
    await refused("MODEL_DATA", "not-found", { dataDescription: 7 });
    await refused("MODEL_DATA", "invalid", { precision: "f16" as never });
    await refused("MODEL_DATA", "invalid", { correlations: ["I"] } as never);
    const controller = new AbortController();
    const onProgress = () => controller.abort();
    await using plan = await planColumn(SKY, ms, "MODEL_DATA");
    await assertRejects(() => plan.run({ signal: controller.signal, onProgress }), TilewiseError);
    assertEquals(contents(ms), before);
  });
});
