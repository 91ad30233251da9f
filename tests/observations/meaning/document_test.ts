/** The table in `docs/radio.md` is that of the readers; `UPDATE=1` writes it anew. Real tables have no column that is in neither list. */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { Folder } from "../../../src/observations/ms_columns.ts";
import { readUnits } from "../../../src/formats/fits/cards.ts";
import { openSource } from "../../../src/io/open.ts";
import { unpacked } from "../packed.ts";
import { meaningDocument } from "./document.ts";
import { UVFITS_READ, type UvfitsPlace } from "../../../src/observations/meaning/uvfits.ts";
import { MS_COLUMNS, MS_IGNORED } from "../../../src/observations/meaning/measurement_set.ts";
import { UVH5_DATA, UVH5_HEADER } from "../../../src/observations/meaning/uvh5.ts";
import { V4_ARRAYS } from "../../../src/observations/meaning/version4.ts";
import { Hdf5Header } from "../../../src/formats/hdf5/header.ts";
import { ZarrTree } from "../../../src/formats/zarr/tree.ts";
import { openObservation } from "../../../src/observations/open.ts";
import NAMES from "../../data/observations/names.json" with { type: "json" };
import { UVFITS_IGNORED, UVH5_IGNORED, V4_ATTRIBUTES, V4_IGNORED } from "./ignored.ts";

const PAGE = new URL("../../../docs/radio.md", import.meta.url);
const PLACE = /(<!-- made from the readers[^>]*-->\n)([^]*?)(\n<!-- end -->)/;

/** Text without what a formatter of Markdown changes. */
function bare(text: string): string {
  return text.replace(/-{3,}/g, "---").replace(/\s+/g, " ").trim();
}

Deno.test("the table of what is read, ignored and refused follows from the readers", async () => {
  const page = await Deno.readTextFile(PAGE);
  const made = meaningDocument();
  if (Deno.env.get("UPDATE")) {
    await Deno.writeTextFile(PAGE, page.replace(PLACE, (_, start, _old, end) => `${start}\n${made}\n${end}`));
    return;
  }
  assertEquals(bare(PLACE.exec(page)?.[2] ?? ""), bare(made));
});

Deno.test("all that the drawn UVFITS files have is read or ignored for a reason", async () => {
  await using folder = await unpacked(new URL("../../data/observations/written.tgz", import.meta.url));
  const known = (place: UvfitsPlace, name: string) =>
    name in UVFITS_READ[place] || name in (UVFITS_IGNORED[place] ?? {});
  for (
    const { name } of [...Deno.readDirSync(folder.folder)].filter(({ name }) => name.endsWith(".uvfits"))
  ) {
    await using source = await openSource(`${folder.folder}/${name}`);
    for (const { cards: { values }, kind } of await readUnits(source)) {
      const place = (kind === "groups" ? "header" : String(values.get("EXTNAME")).trim()) as UvfitsPlace;
      for (const [keyword, value] of values) {
        const text = String(value).trim().replace(/^_/, "");
        if (/^PTYPE/.test(keyword)) assert(known("parameters", text.replace(/-.*$/, "")), `${name}: ${text}`);
        else if (/^CTYPE/.test(keyword)) assert(known("axes", text), `${name}: ${text}`);
        else if (/^TTYPE/.test(keyword)) assert(known(place, text), `${name}, ${place}: ${text}`);
        else if (!OF_FITS.test(keyword)) {
          assert(
            known(place, keyword) || known(place, keyword.replace(/\d+$/, "")),
            `${name}, ${place}: ${keyword}`,
          );
        }
      }
    }
  }
});

/** Keywords of FITS itself: sizes, types, axes of arrays and of tables. */
const OF_FITS =
  /^(SIMPLE|XTENSION|EXTNAME|BITPIX|NAXIS\d*|EXTEND|GROUPS|PCOUNT|GCOUNT|TFIELDS|T(FORM|UNIT|SCAL|ZERO|DIM|DISP|NULL)\d+|C(RVAL|RPIX|DELT|ROTA)\d+|TELESCOP)$/;

Deno.test("all columns that the format requires are read or ignored for a reason", async () => {
  const base = fromFileUrl(new URL("../../data/observations/small.ms", import.meta.url));
  await using folder = new Folder(base);
  for (const [name, known] of Object.entries(MS_COLUMNS)) {
    const table = await folder.table(name === "MAIN" ? "" : name);
    const columns = table.columns.map((column) => column.name).filter((one) =>
      !/^(DATA|MODEL_DATA)$/.test(one)
    );
    const missing = columns.filter((one) => !(one in known) && !(one in (MS_IGNORED[name] ?? {})));
    assertEquals(missing, [], name);
    assert(Object.keys(known).every((one) => !(one in (MS_IGNORED[name] ?? {}))), name);
  }
});

/** Names that are in none of some lists, or in two of them. */
function odd(names: Iterable<string>, ...lists: readonly object[]): string[] {
  return [...names].filter((name) => lists.filter((list) => name in list).length !== 1);
}

Deno.test("all names of UVH5 and of version 4 are read or ignored for a reason", () => {
  const { uvh5: { Header, Data }, version4: { arrays, attributes } } = NAMES;
  assertEquals(odd(Header, UVH5_HEADER, UVH5_IGNORED), []);
  assertEquals(odd(Data, UVH5_DATA), []);
  assertEquals(odd(arrays, V4_ARRAYS, V4_IGNORED), []);
  assertEquals(odd(attributes, V4_ATTRIBUTES, V4_ARRAYS, V4_IGNORED), []);
});

/** Runs with a method that tells its first argument. */
async function told(of: object, method: string, run: () => Promise<void>): Promise<Set<string>> {
  const own = Object.getOwnPropertyDescriptor(of, method)!, found = new Set<string>();
  const call = own.value as (this: unknown, name: string, ...rest: unknown[]) => unknown;
  Object.defineProperty(of, method, {
    ...own,
    value(name: string, ...rest: unknown[]) {
      found.add(name);
      return call.call(this, name, ...rest);
    },
  });
  try {
    await run();
  } finally {
    Object.defineProperty(of, method, own);
  }
  return found;
}

const pathOf = (name: string) => fromFileUrl(new URL(`../../data/observations/${name}`, import.meta.url));

Deno.test("what the reader of UVH5 looks at is in its list", async () => {
  const found = new Set<string>();
  for (const method of ["shapeOf", "value"]) {
    for (const path of await told(Hdf5Header.prototype, method, () => opened("small.uvh5"))) found.add(path);
  }
  for (const path of found) {
    const [, group, name] = /^\/(Header|Data)\/(.*)$/.exec(path)!;
    const known = group === "Data" ? UVH5_DATA : UVH5_HEADER;
    assert(name!.replace(/catalog\/\d+/, "catalog") in known, path);
  }
});

async function opened(name: string): Promise<void> {
  await using _ = await openObservation(pathOf(name));
}

Deno.test("what the reader of version 4 looks at is in its list", async () => {
  const found = new Set<string>();
  for (const method of ["has", "layout", "texts"]) {
    for (const path of await told(ZarrTree.prototype, method, () => opened("small.ps.zarr"))) found.add(path);
  }
  for (const path of found) {
    const name = path.replace(/^small_0\//, "").replace(/^field_and_source_\w+_xds/, "field_and_source");
    assert(name.replace("VISIBILITY_MODEL", "VISIBILITY") in V4_ARRAYS, path);
  }
});
