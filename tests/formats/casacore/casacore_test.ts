/** Tables of casacore: every storage manager, type and byte order, against what casacore itself reads. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { readBox } from "../../../src/cli/inputs/frames.ts";
import { StoredDataset } from "../../../src/dataset/dataset.ts";
import "../../../src/dataset/storage/all_kinds.ts";
import { joined, type TableFiles } from "../../../src/formats/casacore/files.ts";
import { layoutOfSections, shapeOf, type StoredSection } from "../../../src/formats/casacore/stored.ts";
import { Table } from "../../../src/formats/casacore/table.ts";
import { openAllStored as openAll, openStored as open } from "../../../src/formats/open.ts";
import { openSource } from "../../../src/io/open.ts";
import { wholeBox } from "../../../src/space/box.ts";
import { failure } from "../helpers.ts";
import { sha256 } from "../read_all.ts";
import { EXPECTED, filesOf, pathOf } from "./tables.ts";

async function digest(dataset: StoredDataset): Promise<string> {
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  return sha256(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
}

function tableAt(path: string): Promise<Table> {
  const filesOf = (name: string): TableFiles => ({
    name,
    open: (file) => openSource(`${name}/${file}`),
    other: (other) => filesOf(`/${joined(name.slice(1), other)}`),
  });
  return Table.open(filesOf(path));
}

for (const [name, columns] of Object.entries(EXPECTED)) {
  const numbers = Object.entries(columns).filter(([, { sha256 }]) => sha256 !== undefined);

  Deno.test(`${name}: every column of numbers is read as casacore reads it`, async () => {
    const found = await openAll(pathOf(name));
    assertEquals(found.map(({ array }) => array).toSorted(), numbers.map(([column]) => column).toSorted());
    for (const dataset of found) {
      const expected = columns[dataset.array]!;
      assertEquals(dataset.dtype as string, expected.dtype, dataset.array);
      if (dataset.byteLength > 0) assertEquals(dataset.shape, expected.shape, dataset.array);
      if (dataset.byteLength > 0) assertEquals(await digest(dataset), expected.sha256, dataset.array);
    }
  });

  Deno.test(`${name}: texts are read as casacore reads them`, async () => {
    const table = await tableAt(pathOf(name));
    for (const [column, { texts }] of Object.entries(columns)) {
      if (texts) assertEquals(await table.texts(column), texts, column);
    }
  });

  Deno.test(`${name}: the rows of a column that are wanted are read, in any order`, async () => {
    const table = await tableAt(pathOf(name));
    if (table.rows < 3) return;
    const wanted = [table.rows - 1, 0, 1, 1];
    for (const [name] of numbers) {
      const column = table.column(name)!;
      const all = await samplesOf(await table.stored(column));
      const own = await samplesOf(await table.stored(column, wanted));
      assertEquals(own, wanted.map((row) => all[row]!), name);
    }
  });
}

/** The samples of each row of a column in sections. */
async function samplesOf(sections: readonly StoredSection[]): Promise<unknown[]> {
  const shape = shapeOf(sections, { name: "column" }, "table"), [rows, ...cell] = shape;
  const detection = { format: "casacore", why: [] };
  const layout = layoutOfSections(sections, shape, cell.length);
  const { data } = await readBox(
    new StoredDataset({ source: "table", detection, navShape: [rows!], layout }),
    wholeBox(shape),
  );
  const each = data.length / rows!;
  return Array.from({ length: rows! }, (_, row) => data.slice(row * each, (row + 1) * each));
}

Deno.test("a column whose rows have different shapes is an error that names row and shapes, and a warning of the others", async () => {
  const error = await failure(open(pathOf("standard_little"), { array: "ragged" }), "unsupported");
  assert(/ragged .*row 1 is 2, the first one 1/.test(error.message), error.message);
  const tiled = await failure(open(pathOf("tiled_shape_little"), { array: "two" }), "unsupported");
  assert(/two .*row 1 is 3 × 2, the first one 2 × 4/.test(tiled.message), tiled.message);
  const { warnings } = await open(pathOf("standard_little"), {});
  assert(warnings.some((text) => /the column ragged/.test(text)), warnings.join());
});

Deno.test("rows of one shape are read where the rows of a column have several", async () => {
  const table = await tableAt(pathOf("tiled_shape_little"));
  const [section] = await table.stored(table.column("two")!, [1, 2, 5, 4]);
  const { shape, rows } = section!.stored;
  assertEquals([shape, [...Array.from(rows!)]], [[8, 3, 2], [0, 1, 3, 2]]);
});

Deno.test("rows of Dysco that were never written are cells without a value", async () => {
  const table = await tableAt(pathOf("dysco_row"));
  for (const [name, { written, digest }] of Object.entries(EXPECTED["dysco_row"]!)) {
    if (written === undefined) continue;
    const column = table.column(name)!, error = await failure(table.stored(column), "unsupported");
    assert(error.message.includes(`row ${written} has no value`), error.message);
    const filled = (await table.filled(column))!;
    assertEquals([...filled], Array.from({ length: written }, (_, row) => row));
    const samples = await samplesOf(await table.stored(column, filled)) as Float32Array[];
    assertEquals(await sha256(Float32Array.from(samples.flatMap((row) => [...row])) as never), digest);
  }
});

Deno.test("columns of tables that belong to a table are opened by both names", async () => {
  const dataset = await open(pathOf("family"), { array: "ANTENNA/POSITION" });
  assertEquals(await digest(dataset), EXPECTED["family/ANTENNA"]!["POSITION"]!.sha256);
  const error = await failure(open(pathOf("family"), { array: "SOURCE/NAME" }), "not-found");
  assert(error.message.includes('"n", "ANTENNA/…"'), error.message);
});

Deno.test("keywords are records with numbers, texts, arrays and records inside", async () => {
  const { keywords, columns } = await tableAt(pathOf("standard_big"));
  assertEquals(keywords, {
    number: 42,
    nested: { flag: true, inner: { list: [1.5, -2.5], name: "text" }, empty: {} },
    grid: { shape: [2, 3], values: [0, 1, 2, 3, 4, 5] },
    words: ["a", "bc"],
    truths: [true, false, true],
    wave: [1.5, -2],
  });
  const { keywords: own } = columns.find(({ name }) => name === "s_double")!;
  assertEquals(own, { QuantumUnits: ["s"] });
});

Deno.test("a table is opened by its folder, by its table.dat, and as a list of files", async () => {
  const [folder, file, list] = await Promise.all(
    [pathOf("tiled_cell"), `${pathOf("tiled_cell")}/table.dat`, filesOf("tiled_cell")].map((source) =>
      open(source)
    ),
  );
  const expected = EXPECTED["tiled_cell"]!["cell"]!.sha256;
  for (const dataset of [folder!, file!, list!]) assertEquals(await digest(dataset), expected);
});
