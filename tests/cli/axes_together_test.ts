/**
 * Axes of filters and chosen channels together with shards, series, regions of interest and other splits: results are those of
 * the plain command, or the command is refused by name. Filters come from their table.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { FILTERS } from "../../src/analyses/filters/table.ts";
import { readBox } from "../../src/cli/inputs/frames.ts";
import { openStored as open } from "../../src/formats/open.ts";
import { wholeBox } from "../../src/space/box.ts";
import { cli, withFolder } from "./harness.ts";
import { makeTiff, type Making } from "../formats/tiff/make.ts";

const SHAPE = { times: 2, channels: 3, height: 9, width: 11 };
const XML =
  `<OME><Image><Pixels DimensionOrder="XYCZT" SizeX="${SHAPE.width}" SizeY="${SHAPE.height}" SizeC="3" ` +
  `SizeT="2" SizeZ="1" Type="uint8"><Channel Name="DAPI"/><Channel Name="GFP"/><Channel Name="RFP"/><TiffData/>` +
  `</Pixels></Image></OME>`;

/** Images of three channels at two times. */
async function writeImages(folder: string): Promise<string> {
  const plane: Making = { height: SHAPE.height, width: SHAPE.width };
  const first: Making = { ...plane, entries: [[270, 2, XML]] };
  const path = `${folder}/a.ome.tif`;
  await Deno.writeFile(path, makeTiff([first, ...new Array<Making>(5).fill(plane)]));
  return path;
}

async function bytesOf(path: string): Promise<Uint8Array> {
  const dataset = await open(path);
  const { data } = await readBox(dataset, wholeBox(dataset.shape));
  return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** Runs a command that must work. */
async function done(words: readonly string[]): Promise<void> {
  const { code, err } = await cli([...words, "-q"]);
  assertEquals(code, 0, `${words.join(" ")}: ${err}`);
}

/** The words of all filters that need no file. */
const WORDS = FILTERS.map(({ name, example }) => example ?? name);

for (const [turn, axes] of [undefined, "y,x", "all"].entries()) {
  Deno.test(`filters along ${axes ?? "their own axes"} in shards give what they give at once`, () =>
    withFolder(async (folder) => {
      const source = await writeImages(folder);
      const flags = axes === undefined ? [] : ["--axes", axes];
      const words = WORDS.filter((_, n) => n % 3 === turn); // each filter once
      let compared = 0;
      for (const [n, word] of words.entries()) {
        const [plain, merged] = [`${folder}/p${n}.npy`, `${folder}/m${n}.npy`];
        const all = ["map", word, source, ...flags, "--no-picture", "--workers", "0"];
        const { code, err } = await cli([...all, "-o", plain, "-q"]);
        const store = `dir:${folder}/s${n}`;
        const parts = [...all.slice(0, -3), "--workers", "0", "--store", store, "--shard"];
        if (code !== 0) {
          const refused = await cli([...parts, "1/2", "-q"]);
          assert(refused.code !== 0, `${word} is refused at once (${err}), but not in shards`);
          continue;
        }
        await done([...parts, "1/2"]);
        await done([...parts, "2/2"]);
        await done(["merge", store, "-o", merged]);
        assertEquals(await bytesOf(merged), await bytesOf(plain), word);
        compared++;
      }
      assert(compared > words.length / 2, `only ${compared} of ${words.length} were compared`);
    }));
}

Deno.test("a chosen channel is the channel of the whole, with every filter", () =>
  withFolder(async (folder) => {
    const source = await writeImages(folder);
    const [t, c] = [SHAPE.times, SHAPE.channels];
    for (const [n, word] of WORDS.entries()) {
      const [all, one] = [`${folder}/a${n}.npy`, `${folder}/o${n}.npy`];
      const words = ["map", word, source, "--no-picture", "--no-manifest", "--workers", "0"];
      const whole = await cli([...words, "-o", all, "-q"]);
      const alone = await cli([...words, "--channel", "GFP", "-o", one, "-q"]);
      assertEquals(alone.code, whole.code, `${word}: ${whole.err} ${alone.err}`);
      if (whole.code !== 0) continue;
      const [every, own] = [await bytesOf(all), await bytesOf(one)];
      const each = every.length / t / c;
      if (!Number.isInteger(each)) continue; // a filter that changes the number of images
      const expected = [0, 1].flatMap((time) => [
        ...every.subarray((time * c + 1) * each, (time * c + 2) * each),
      ]);
      assertEquals([...own], expected, word);
    }
  }));

Deno.test("a chosen channel goes with regions of interest and other splits, or is refused by name", () =>
  withFolder(async (folder) => {
    const source = await writeImages(folder);
    const sums = async (...flags: string[]): Promise<number[] | string> => {
      const out = `${folder}/s.npy`;
      const { code, err } = await cli(["run", "sumsig", source, ...flags, "-o", out, "-q"]);
      if (code !== 0) return err;
      const dataset = await open(out);
      return Array.from((await readBox(dataset, wholeBox(dataset.shape))).data, Number);
    };
    const whole = await sums();
    assert(Array.isArray(whole) && whole.length === 6);
    assertEquals(await sums("--channel", "GFP"), [whole[1]!, whole[4]!]);
    assertEquals(await sums("--channel", "2", "--time", "1"), [whole[5]!]);
    const part = await sums("--channel", "GFP", "--roi", "1:2");
    assert(Array.isArray(part));
    assertEquals(part.filter((sum) => Number.isFinite(sum) && sum !== 0), [whole[4]]);
    const turned = await sums("--channel", "GFP", "--nav-axes", "y");
    assert(Array.isArray(turned) && turned.length === SHAPE.height, String(turned));
    assertEquals(turned.reduce((a, b) => a + b), (whole[1] as number) + (whole[4] as number));
    const missing = await sums("--channel", "CFP");
    assert(typeof missing === "string" && missing.includes('0 "DAPI", 1 "GFP", 2 "RFP"'), String(missing));
    const gone = await sums("--channel", "GFP", "--nav-axes", "channel");
    assert(typeof gone === "string" && gone.includes("there is no axis"), String(gone));
  }));

Deno.test("filters along axes of a series are those of each source", () =>
  withFolder(async (folder) => {
    const source = await writeImages(folder);
    const two = `${folder}/b.ome.tif`;
    await Deno.copyFile(source, two);
    const words = ["--no-picture", "--no-manifest", "--workers", "0"];
    for (const flags of [[], ["--channel", "GFP"], ["--axes", "y,x"]]) {
      await done(["map", "gaussian:sigma=1", source, ...flags, ...words, "-o", `${folder}/one.npy`]);
      await done([
        "map",
        "gaussian:sigma=1",
        source,
        two,
        "--stack",
        ...flags,
        ...words,
        "-o",
        `${folder}/both.npy`,
      ]);
      const one = await bytesOf(`${folder}/one.npy`);
      assertEquals([...await bytesOf(`${folder}/both.npy`)], [...one, ...one], flags.join(" "));
    }
  }));
