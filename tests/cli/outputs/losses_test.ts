/**
 * Every verb that writes arrays × every target that it writes: what is read again is what was known, or its loss is said, in the
 * same words in the row of JSON, in the manifest and in one line. The lists are those of the registries, so that new targets
 * join by themselves.
 */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import { open, openAll } from "../../../src/formats/open.ts";
import { createContext } from "../../../src/runner/context.ts";
import { endingsFor } from "../../../src/sinks/registry.ts";
import type { AxisFacts } from "../../../src/space/axes.ts";
import { mapViews } from "../../../src/views/map/map_views.ts";
import { copySamples } from "../../../src/views/operations/copy_samples.ts";
import { fileSink } from "../../../src/views/sinks/registry.ts";
import { DESCRIBED, describedArray } from "../../sinks/described.ts";
import { compareAxes } from "../../sinks/kept.ts";
import { cli, withFolder } from "../harness.ts";

/** Endings of all files that `save` writes. */
const SAVED = endingsFor("arrays");
const STORED = [...endingsFor("results"), ".png"];
const EXPORTED = endingsFor("frames");

/** A verb: its words for a source and a place, and the endings that it writes. */
interface Writer {
  readonly endings: readonly string[];
  words(source: string, folder: string, ending: string): readonly string[];
}

const each = (folder: string, ending: string) => ["--each", "-o", folder, "--as", ending.slice(1)];

const WRITERS: Readonly<Record<string, Writer>> = {
  run: {
    endings: SAVED,
    words: (from, to, ending) => ["run", "sum", "sumsig", from, "-o", `${to}/r${ending}`],
  },
  "run --each": { endings: SAVED, words: (from, to, ending) => ["run", "com", from, ...each(to, ending)] },
  map: {
    endings: STORED,
    words: (from, to, ending) => ["map", "gaussian:sigma=1", from, "-o", `${to}/r${ending}`],
  },
  "map --each": { endings: STORED, words: (from, to, ending) => ["map", "sobel", from, ...each(to, ending)] },
  convert: {
    endings: [...new Set([...endingsFor("results"), ...EXPORTED])],
    words: (from, to, ending) => ["convert", from, `${to}/r${ending}`],
  },
  "convert --each": {
    endings: endingsFor("results"),
    words: (from, to, ending) => ["convert", from, ...each(to, ending)],
  },
  "convert --roi": {
    endings: EXPORTED,
    words: (from, to, ending) => ["convert", from, `${to}/r${ending}`, "--roi", "0,0"],
  },
  pick: {
    endings: SAVED,
    words: (from, to, ending) => ["pick", from, "--at", "1,2", "-o", `${to}/r${ending}`],
  },
};

/** A row of JSON. */
interface Row {
  readonly udf?: string;
  readonly result?: string;
  readonly file?: string;
  readonly files?: readonly string[];
  readonly manifest?: string;
  readonly axes?: readonly AxisFacts[];
  readonly losses?: string;
}

/** Kinds of files that are not arrays with axes, so that they are not opened. */
const NOT_OPENED = /\.(png|csv|npz|raw|bin|xml|mib)$/;

async function checkRow(
  { udf, result, file, files = [], axes, losses = "" }: Row,
  known: readonly AxisFacts[],
): Promise<void> {
  const path = file ?? files[0]!;
  if (NOT_OPENED.test(path)) {
    return assertEquals(losses === "", path.endsWith(".png"), `${path}: ${losses}`); // pictures are looks
  }
  const all = await openAll(path); // of several results, that of the row
  const own = all.find(({ array }) => [`${udf}-${result}`, udf].includes(array.split("/").at(-2))) ??
    await open(path);
  compareAxes(axes ?? known, own.axes, losses, /\.\w+$/.exec(path)![0]);
}

async function sameInManifest(rows: readonly Row[]): Promise<void> {
  const manifest = rows[0]?.manifest;
  if (manifest === undefined) return;
  const { results } = JSON.parse(await Deno.readTextFile(manifest)) as { results: Row[] };
  assertEquals(results.map(({ losses }) => losses), rows.map(({ losses }) => losses));
}

for (const [verb, { endings, words }] of Object.entries(WRITERS)) {
  Deno.test(`${verb} names what its files do not hold, for every target`, async () => {
    await withFolder(async (folder) => {
      await using context = createContext({ workers: 0 });
      const source = `${folder}/scan.zarr`;
      const scan = DESCRIBED["a scan of diffraction patterns"]!;
      await mapViews(await describedArray(scan, "uint16"), copySamples(), {
        sink: fileSink(source),
        context,
      });
      let written = 0;
      for (const [n, ending] of endings.entries()) {
        const told = await cli([...words(source, `${folder}/json${n}`, ending), "--json", "--quiet"]);
        const rows = told.out === "" ? [] : told.json() as Row[];
        if (told.code !== 0) {
          assert(
            /unsupported|invalid/.test(told.err + told.out),
            `${verb} ${ending}: ${told.err}${told.out}`,
          );
          continue;
        }
        written++;
        const made = rows.filter(({ files }) => files !== undefined);
        assert(made.length > 0, `${verb} ${ending}`);
        const axes = verb === "pick" ? scan.axes.slice(2) : scan.axes;
        for (const row of made) await checkRow(row, verb === "convert --roi" ? [{}, ...axes.slice(2)] : axes);
        await sameInManifest(made);
        if (verb.includes("--each")) continue; // the same lines, once per source
        const { out, code, err } = await cli([...words(source, `${folder}/text${n}`, ending), "--quiet"]);
        assertEquals(code, 0, err);
        const lines = out.split("\n").filter((line) => line.includes("not kept"));
        const losses = new Set(made.flatMap(({ losses = "" }) => losses || []));
        assertEquals(lines.length, verb.startsWith("run") ? Math.min(1, losses.size) : losses.size, out);
        for (const one of losses) assert(out.includes(one), out);
      }
      assert(written >= 3, `${verb} wrote ${written}`);
    });
  });
}
