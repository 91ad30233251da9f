/**
 * One array of every format × what `convert` selects and changes, alone and together: samples and axes in the file are those of the
 * whole array, changed in plain code. Formats are those of the registry, so that new ones join by themselves.
 */

import "../../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";
import type { StoredDataset } from "../../../src/dataset/dataset.ts";
import { open } from "../../../src/formats/open.ts";
import { FORMATS } from "../../../src/formats/registry.ts";
import { sizeOf } from "../../../src/space/shape.ts";
import { withFolder } from "../../cli/harness.ts";
import { ENTRIES, needSamples } from "../../formats/conformance/samples.ts";
import { makeTiff } from "../../formats/tiff/make.ts";
import { cases, SEED, share } from "../../suite/cases.ts";
import { Random } from "../data/random.ts";
import { cellOf, type Subject, subjectOf } from "./cells.ts";
import { askedOf, CANNOT_SPLIT, type Change, CHANGES, type Selected, wholeOf } from "./selections.ts";
import { firstOf, OWN_FILES, SAMPLE_FILES } from "./sources.ts";

needSamples("the crossings of formats and selections");

/** Changes of one command: each alone, then some of several groups. In `deno task test` each format has others of them. */
function commands(random: Random, at: number): Change[][] {
  const alone = share(CHANGES.flat(), 5, at).map((change) => [change]);
  const mixed = Array.from(
    { length: cases(2, 60) },
    () => CHANGES.flatMap((group) => random.chance(0.6) ? [random.pick(group)] : []),
  );
  return [...alone, ...mixed];
}

/** What is wrong with what a command writes; `undefined` where a change does not apply to the array. */
async function problemsOf(
  subject: Subject,
  changes: readonly Change[],
  random: Random,
  folder: string,
  valid?: readonly boolean[],
): Promise<readonly string[] | undefined> {
  let selected: Selected | undefined = wholeOf(subject, valid);
  for (const change of changes) {
    selected = await change(selected, random, folder);
    if (selected === undefined) return undefined;
  }
  const changed = { ...subject, told: askedOf(selected) };
  const cell = await cellOf(changed, `${folder}/made.hspy`, selected.flags);
  const problems = cell.end === "refused" ? [cell.why] : cell.problems;
  if (problems.some((text) => CANNOT_SPLIT.test(text))) return undefined;
  return problems.map((text) => `${selected.flags.join(" ")}: ${text}`);
}

for (const [f, { id }] of FORMATS.entries()) {
  const files = [...OWN_FILES, ...SAMPLE_FILES].filter(({ formats }) => formats.includes(id));
  Deno.test({
    name: `${id}: what convert selects is that part of the whole`,
    ignore: files.length === 0 && ENTRIES.length === 0,
    fn: () =>
      withFolder(async (folder) => {
        const source = await firstOf(files, id, (dataset) => sizeOf(dataset.navShape) > 1);
        assert(source, `there is no small file of several frames of ${id}: add one to sources.ts`);
        const subject = await subjectOf(source), random = new Random("selections", id, SEED);
        const wrong: string[] = [];
        let compared = 0;
        for (const [n, changes] of commands(random, f).entries()) {
          const own = `${folder}/${n}`;
          await Deno.mkdir(own);
          const problems = await problemsOf(subject, changes, random, own);
          if (problems === undefined) continue;
          wrong.push(...problems);
          compared++;
          await Deno.remove(own, { recursive: true });
        }
        assertEquals(wrong, [], source.name);
        assert(compared > 0, `no command applies to ${source.name}`);
      }),
  });
}

/** A set of OME-TIFF, of whose three times the second one is in a file that is not there. */
async function writeSet(folder: string): Promise<string> {
  const told = [0, 1, 2].map((t) =>
    `<TiffData FirstT="${t}" IFD="0" PlaneCount="2"><UUID FileName="${t}.ome.tif">urn:uuid:${t}</UUID></TiffData>`
  ).join("");
  const xml =
    `<OME UUID="urn:uuid:0"><Image><Pixels DimensionOrder="XYCZT" SizeX="5" SizeY="4" SizeC="2" SizeT="3" ` +
    `SizeZ="1" Type="uint8" TimeIncrement="3" TimeIncrementUnit="s"><Channel Name="DAPI"/><Channel Name="GFP"/>${told}` +
    `</Pixels></Image></OME>`;
  const plane = { height: 4, width: 5 };
  for (const t of [0, 2]) {
    const text = xml.replace("urn:uuid:0", `urn:uuid:${t}`);
    const bytes = makeTiff([{ ...plane, entries: [[270, 2, text]] }, plane]);
    bytes[8]! += t;
    await Deno.writeFile(`${folder}/${t}.ome.tif`, bytes);
  }
  return `${folder}/0.ome.tif`;
}

Deno.test("frames that are not valid are in no selection, which is a list then", () =>
  withFolder(async (folder) => {
    const path = await writeSet(folder), random = new Random("not valid", SEED);
    const source = {
      name: "an OME-TIFF of which a file is missing",
      path,
      format: "tiff",
      options: {},
      flags: [],
    };
    const subject = await subjectOf(source), { valid } = await open(path) as StoredDataset;
    assertEquals([subject.told.shape, valid], [[3, 2, 4, 5], Uint8Array.of(1, 1, 0, 0, 1, 1)]);
    const isValid = [...valid!].map((one) => one === 1), wrong: string[] = [];
    for (let n = 0; n < cases(8, 200); n++) {
      const own = `${folder}/${n}`, changes = [random.pick(CHANGES[1]!)];
      if (random.chance(0.3)) changes.push(random.pick(CHANGES[2]!));
      await Deno.mkdir(own);
      wrong.push(...await problemsOf(subject, changes, random, own, isValid) ?? []);
    }
    assertEquals(wrong, []);
  }));
