/**
 * Commands with several sources: as one series (`--stack`), or one after another (`--each`), for all verbs that take them.
 *
 * @module
 */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { VERBS } from "../../src/cli/main.ts";
import { openStored as open } from "../../src/formats/open.ts";
import { wholeBox } from "../../src/space/box.ts";
import { readBox } from "../../src/cli/inputs/frames.ts";
import { reportPath, reportTest } from "../formats/conformance/reports.ts";
import { cli, withFolder, writeNpy } from "./harness.ts";

/** Writes images whose samples are multiples of a number, by the name of their file. */
async function writeImages(folder: string, images: Readonly<Record<string, number>>): Promise<string[]> {
  const paths = Object.keys(images).map((name) => `${folder}/${name}`);
  await Deno.mkdir(folder, { recursive: true });
  for (const [name, factor] of Object.entries(images)) {
    await writeNpy(
      `${folder}/${name}`,
      "|u1",
      [2, 3],
      Uint8Array.from([0, 1, 2, 3, 4, 5], (n) => n * factor),
    );
  }
  return paths;
}

const numbers = async (path: string): Promise<number[]> => {
  const dataset = await open(path);
  return Array.from((await readBox(dataset, wholeBox(dataset.shape))).data, Number);
};

const names = (folder: string): string[] => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

const IMAGES = { "im_10.npy": 10, "im_2.npy": 2, "im_1.npy": 1 };

reportTest("report: em21-cli-stack", "em/stack/im_1.dm4", () =>
  withFolder(async (folder) => {
    const files = [1, 2, 10].map((n) => reportPath(`em/stack/im_${n}.dm4`));
    for (const sources of [files, [...files, "--stack"], [reportPath("em/stack"), "--stack"]]) {
      const out = `${folder}/${sources.length}.npy`;
      const { code, err } = await cli(["run", "sumsig", ...sources, "-o", out, "-q"]);
      assertEquals(code, 0, err);
      assertEquals(await numbers(out), [6, 12, 60]);
    }
  }));

Deno.test("several files behind what is to be done are a series, which the manifest says; other words are not", () =>
  withFolder(async (folder) => {
    const files = await writeImages(`${folder}/in`, IMAGES);
    for (const words of [["run", "sumsig"], ["map", "expr:x+1"]]) {
      const out = `${folder}/${words[0]}.npy`;
      const { code, err } = await cli([...words, ...files, "-o", out, "-q"]);
      assertEquals(code, 0, err);
      assertEquals((await open(out)).shape[0], 3);
      const again = await cli(["replay", `${folder}/${words[0]}.run.json`]);
      assertEquals([again.code, again.out.includes("same bits")], [0, true], again.err);
      const wrong = await cli([words[0]!, words[1]!, "wrong", files[0]!, "-o", out]);
      assertEquals(wrong.code, 2);
      assertStringIncludes(wrong.err, '"wrong" is unknown');
    }
  }));

Deno.test("a series has a first axis that counts its sources, in the order of the words or of numbers in names", () =>
  withFolder(async (folder) => {
    const files = await writeImages(`${folder}/in`, IMAGES);
    const [shown] = (await cli(["info", ...files, "--stack", "--json"])).json();
    assertEquals([shown!["shape"], shown!["navShape"]], [[3, 2, 3], [3]]);
    assertEquals((shown!["axes"] as unknown[])[0], { name: "series", kind: "series", size: 3 });
    for (const [sources, order] of [[files, [10, 2, 1]], [[`${folder}/in`], [1, 2, 10]]] as const) {
      const out = `${folder}/${order[0]}.npy`;
      assertEquals((await cli(["convert", ...sources, out, "--stack", "-q"])).code, 0);
      assertEquals(await numbers(out), order.flatMap((n) => [0, 1, 2, 3, 4, 5].map((i) => i * n)));
    }
    const mapped = await cli(["map", "expr:x+1", ...files, "--stack", "-o", `${folder}/m.npy`, "-q"]);
    assertEquals(mapped.code, 0, mapped.err);
    assertEquals((await numbers(`${folder}/m.npy`)).slice(6, 12), [1, 3, 5, 7, 9, 11]);
    const again = await cli(["replay", `${folder}/m.run.json`]);
    assertEquals([again.code, again.out.includes("same bits")], [0, true], again.err);
    const plan = (await cli(["run", "sumsig", ...files, "--stack", "--dry-run"])).out;
    assertStringIncludes(plan, "and 2 more: (3 | 2, 3) uint8");
  }));

Deno.test("each source has a set of its own, and a bad one does not stop the others", () =>
  withFolder(async (folder) => {
    const files = await writeImages(`${folder}/in`, IMAGES);
    const bad = `${folder}/bad.npy`;
    await Deno.writeTextFile(bad, "no array");
    const sources = [files[0]!, bad, files[1]!, files[2]!];
    const run = await cli([
      "run",
      "sumsig",
      "sum",
      ...sources,
      "--each",
      "-o",
      `${folder}/out`,
      "--json",
      "-q",
    ]);
    assertEquals(run.code, 1);
    const lines = run.json();
    assertEquals(lines.at(-1), { each: { sources: 4, done: 3, failed: [bad] } });
    const [wrong] = lines.filter((line) => line["error"] !== undefined);
    assertEquals(wrong!["source"], bad);
    assertEquals(names(`${folder}/out`), ["im_1", "im_10", "im_2"]);
    assertEquals(await numbers(`${folder}/out/im_10/sumsig.npy`), [150]);
    const again = await cli(["replay", `${folder}/out/im_2/sumsig+sum.run.json`]);
    assertEquals(again.code, 0, again.err + again.out);
    const told = await cli(["map", "gaussian:sigma=1", ...sources, "--each", "-o", `${folder}/maps`]);
    assertEquals(told.code, 1);
    assertStringIncludes(told.err, "source 2 of 4: ");
    assertStringIncludes(told.err, `3 of 4 sources done; these failed: ${bad}`);
    assert(names(`${folder}/maps`).includes("im_2.run.json"));
    const converted = await cli([
      "convert",
      `${folder}/in`,
      "--each",
      "-o",
      `${folder}/tif`,
      "--as",
      "ome.tif",
    ]);
    assertEquals(converted.code, 0, converted.err);
    const written = [1, 10, 2].flatMap((n) => [`im_${n}.ome.tif`, `im_${n}.ome.tif.run.json`]);
    assertEquals(names(`${folder}/tif`), written);
    assertEquals(await numbers(`${folder}/tif/im_2.ome.tif`), [0, 2, 4, 6, 8, 10]);
    const packed = await cli([
      "run",
      "sumsig",
      `${folder}/in`,
      "--each",
      "-o",
      `${folder}/z`,
      "--as",
      "npz",
      "-q",
    ]);
    assertEquals(packed.code, 0, packed.err);
    assertEquals(names(`${folder}/z`).filter((name) => name.endsWith(".npz")).length, 3);
    const info = await cli(["info", ...sources, "--each", "--json", "-q"]);
    assertEquals(info.json().length, 5);
    assertEquals(info.code, 1);
    const plans = await cli(["run", "sumsig", `${folder}/in`, "--each", "--dry-run", "--json", "-q"]);
    assertEquals(plans.json().filter((line) => line["explain"] !== undefined).length, 3);
    assertEquals(plans.code, 0);
  }));

Deno.test("files that belong to others are not sources of a folder", () =>
  withFolder(async (folder) => {
    await writeImages(folder, { "a.npy": 1 });
    for (const ending of ["raw", "mib"]) {
      assertEquals((await cli(["convert", `${folder}/a.npy`, `${folder}/b.${ending}`, "-q"])).code, 0);
    }
    await Deno.remove(`${folder}/a.npy`);
    await Deno.writeTextFile(`${folder}/notes.txt`, "no source");
    await Deno.mkdir(`${folder}/empty`);
    assertEquals((await cli(["convert", `${folder}/b.mib`, `${folder}/c.zarr`, "-q"])).code, 0);
    const { err, code } = await cli(["info", folder, "--each"]);
    const taken = [...err.matchAll(/source \d+ of \d+: .*\/(\S+)/g)].map(([, name]) => name);
    assertEquals([code, taken], [0, ["b.hdr", "b.rpl", "c.zarr"]]);
    const none = await cli(["info", `${folder}/empty`, "--each"]);
    assertEquals(none.code, 1);
    assertStringIncludes(none.err, "nothing in it is called like a file that is read");
  }));

Deno.test("commands for several sources that cannot be meant are refused before anything is read", () =>
  withFolder(async (folder) => {
    const [one, two] = await writeImages(folder, { "a.npy": 1, "b.npy": 2 }) as [string, string];
    await writeImages(`${folder}/more`, { "A.npy": 1 });
    const out = `${folder}/out`;
    const refused = async (words: readonly string[], text: string) => {
      const { code, err, out: shown } = await cli(words);
      assertEquals([code, shown], [2, ""], err);
      assertStringIncludes(err, text);
    };
    await refused(["run", "sumsig", one, two, "--stack", "--each"], "give one of them");
    await refused(["run", "sumsig", "--stack"], "names none");
    await refused(["run", "sumsig", one, two, "-o", out], "unless --stack or --each is given");
    await refused(["run", "sumsg", one, two, "--each", "-o", out], "did you mean sumsig?");
    await refused(
      ["run", "sumsig", one, `${folder}/more/A.npy`, "--each", "-o", out],
      "would have the same result",
    );
    await refused(["run", "sumsig", one, two, "--each", "-o", one], "is a file");
    await refused(["run", "sumsig", one, two, "--each", "-o", `${folder}/x.npy`], "called like a file");
    await refused(["run", "sumsig", one, two, "--each", "--as", "npz"], "add -o FOLDER");
    await refused(["run", "sumsig", one, two, "--stack", "--store", `dir:${folder}/s`], "is for one source");
    await refused(["map", "gaussian:sigma=1", one, two, "--each", "-o", out, "--as", "doc"], "must end with");
    await refused(["convert", one, two, "--each", "-o", out], "needs the kind of results");
    await refused(["convert", one, two, "--each", "--as", "npy"], "add -o FOLDER");
    await refused(["convert", one, two, "--each", "-o", out, "--as", "doc"], ".doc");
    await refused(["convert", one, out + ".npy", "-o", out], "go with --each");
    assertEquals(names(folder), ["a.npy", "b.npy", "more"]);
    const apart = await cli(["run", "sumsig", one, two, "--stack", "--sig-dims", "1", "-q"]);
    assertEquals(apart.code, 0, apart.err);
    const replaced = await cli(["convert", one, two, "--each", "-o", folder, "--as", "npy"]);
    assertEquals(replaced.code, 1);
    assertEquals(await numbers(two), [0, 2, 4, 6, 8, 10]);
  }));

Deno.test("the help of every verb with several sources tells how", async () => {
  for (const entry of VERBS) {
    const { several, flags } = await entry.load();
    const own = flags.map(({ name }) => name).filter((name) => name === "stack" || name === "each");
    assertEquals(own, several ? ["stack", "each"] : [], entry.name);
    if (several) assertMatch((await cli([entry.name, "--help"])).out, /--each|--stack/);
  }
});

Deno.test("the manifest of one of several sources is replayed, with the flags of replay as well", () =>
  withFolder(async (folder) => {
    const files = await writeImages(`${folder}/in`, IMAGES);
    const run = await cli(["run", "sum", ...files, "--each", "-o", `${folder}/out`, "-q"]);
    assertEquals(run.code, 0, run.err);
    const manifests = [...Deno.readDirSync(`${folder}/out`)].flatMap(({ name }) => {
      const here = `${folder}/out/${name}`;
      return [...Deno.readDirSync(here)].filter(({ name }) => name.endsWith(".run.json")).map(({ name }) =>
        `${here}/${name}`
      );
    });
    assertEquals(manifests.length, 3);
    const { code, err } = await cli(["replay", ...manifests, "--quiet", "--workers", "0"]);
    assertEquals([code, err], [0, ""]);
  }));
