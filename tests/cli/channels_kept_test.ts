/**
 * What an image is of, such as its only channel, goes with its samples: every verb that writes arrays × every way of giving sources ×
 * every file that the verb writes. The name of the channel is in the file, or a line says that it is not.
 *
 * @module
 */

import { assert, assertEquals } from "@std/assert";
import { VERBS } from "../../src/cli/main.ts";
import { openStored as open } from "../../src/formats/open.ts";
import { endingsFor, isChunkPath } from "../../src/sinks/registry.ts";
import { share } from "../suite/cases.ts";
import { makeTiff, type Making } from "../formats/tiff/make.ts";
import { cli, withFolder } from "./harness.ts";

const [HEIGHT, WIDTH] = [12, 10];

/** A verb that writes an array of an image, with its files; the place of its result is behind `-o`, or the last word. */
interface Writer {
  readonly words: readonly string[];
  readonly endings: readonly string[];
  readonly isLast?: true;
}

const WRITERS: Readonly<Record<string, readonly Writer[]>> = {
  map: [
    { words: ["gaussian:sigma=1"], endings: endingsFor("results") },
    { words: ["label:threshold=50"], endings: endingsFor("results") },
  ],
  convert: [{ words: [], endings: endingsFor("frames", "results"), isLast: true }],
  run: [{ words: ["sum"], endings: endingsFor("arrays").filter((ending) => ending !== ".png") }], // a picture is no array
  pick: [{ words: ["--box", "0:8,0:9"], endings: [".npy", ".csv"] }],
};

/** Verbs with an output that is not an array of an image; `merge` is met with shards. */
const OTHERS = ["merge", "submit", "predict", "image", "uvplot", "replay"];

/** Ways of giving sources: their flags, and the files in which the image is. */
const WAYS: Readonly<
  Record<string, { readonly flags: readonly string[]; readonly files: readonly string[] }>
> = {
  alone: { flags: [], files: ["a"] },
  channel: { flags: ["--channel", "DAPI"], files: ["three"] },
  box: { flags: ["--box", "0:8,0:9"], files: ["a"] },
  stack: { flags: ["--stack"], files: ["a", "b"] },
  each: { flags: ["--each"], files: ["a", "b"] },
  shard: { flags: ["--shard"], files: ["a"] },
};

/** Images of one channel, or of three, of which one is called DAPI. */
async function writeImages(folder: string): Promise<void> {
  const plane: Making = { height: HEIGHT, width: WIDTH };
  for (
    const [name, channels] of Object.entries({ a: ["DAPI"], b: ["DAPI"], three: ["GFP", "DAPI", "Cy5"] })
  ) {
    const xml =
      `<OME><Image><Pixels DimensionOrder="XYCZT" SizeX="${WIDTH}" SizeY="${HEIGHT}" SizeC="${channels.length}" ` +
      `SizeT="1" SizeZ="1" Type="uint8">${
        channels.map((one) => `<Channel Name="${one}"/>`).join("")
      }<TiffData/>` +
      `</Pixels></Image></OME>`;
    const pages = channels.map((_, c): Making => c === 0 ? { ...plane, entries: [[270, 2, xml]] } : plane);
    await Deno.writeFile(`${folder}/${name}.ome.tif`, makeTiff(pages));
  }
}

/** What a command says where it has worked. */
async function said(words: readonly string[]): Promise<string | undefined> {
  const { code, out, err } = await cli(words);
  if (code === 0) return out + err;
  assert(/Cannot write|cannot be computed in parts|are merged into/.test(err), `${words.join(" ")}: ${err}`);
  return undefined;
}

/** The command for all files that a verb writes in one way; what it says, or `undefined` where it is refused. */
async function written(
  folder: string,
  [verb, { words, isLast }, way, ending]: readonly [string, Writer, string, string],
): Promise<string | undefined> {
  const { files } = WAYS[way]!, flags = words.includes("--box") && way === "box" ? [] : WAYS[way]!.flags;
  const sources = files.map((name) => `${folder}/${name}.ome.tif`);
  const all = [verb, ...words, ...sources], out = `${folder}/out/one${ending}`;
  const place = isLast ? [out] : ["-o", out];
  if (way === "each") return await said([...all, ...flags, "-o", `${folder}/out/`, "--as", ending.slice(1)]);
  if (way !== "shard") return await said([...all, ...place, ...flags]);
  const store = `dir:${folder}/out/store`,
    chunked = isLast ? [out] : verb === "map" && isChunkPath(out) ? place : [];
  for (const part of ["1/2", "2/2"]) {
    if (!await said([...all, ...chunked, "--store", store, "--shard", part])) return undefined;
  }
  return await said(["merge", store, "-o", out]);
}

/** Whether an array says that it is of the channel. */
async function tells(path: string): Promise<boolean> {
  const { axes, values } = await open(path).catch(() => ({ axes: [], values: { of: [] } }));
  return [...axes, ...values.of ?? []].some(({ names = [] }) => names.includes("DAPI"));
}

Deno.test("every verb with an output is tested, or writes no image", async () => {
  const verbs = await Promise.all(VERBS.map(({ load }) => load()));
  const writing = verbs.filter(({ flags }) => flags.some(({ name }) => name === "out")).map(({ name }) =>
    name
  );
  assertEquals(writing.filter((name) => !(name in WRITERS) && !OTHERS.includes(name)), []);
});

for (const [turn, way] of Object.keys(WAYS).entries()) {
  Deno.test(`the channel of an image is in every file, or is named as lost: ${way}`, () =>
    withFolder(async (folder) => {
      await writeImages(folder);
      const flags = new Map(
        await Promise.all(VERBS.map(async ({ name, load }) =>
          [
            name,
            (await load()).flags.map(({ name }) => `--${name}`),
          ] as const
        )),
      );
      const takes = (verb: string) =>
        WAYS[way]!.flags.every((flag) => !flag.startsWith("--") || flags.get(verb)!.includes(flag));
      const rows = Object.entries(WRITERS).filter(([verb]) => takes(verb)).flatMap(([verb, writers]) =>
        writers.flatMap((writer) => writer.endings.map((ending) => [verb, writer, way, ending] as const))
      );
      const problems: string[] = [];
      let [kept, named] = [0, 0];
      for (const row of share(rows, 8, turn)) {
        await Deno.mkdir(`${folder}/out`);
        const text = await written(folder, row);
        const [verb, { words }, , ending] = row;
        const files = [...Deno.readDirSync(`${folder}/out`)].map(({ name }) => name).filter((name) =>
          name.endsWith(ending)
        );
        const isNamed = text?.includes("that channel is DAPI");
        const isTold = text !== undefined && files.length > 0 &&
          (await Promise.all(files.map((name) => tells(`${folder}/out/${name}`)))).every((told) => told);
        if (isTold) kept++;
        else if (isNamed) named++;
        else if (text !== undefined) problems.push(`${verb} ${words} ${ending}: ${files} ${text}`);
        if (isTold && isNamed) {
          problems.push(`${verb} ${words} ${ending}: the channel is said to be lost, and is there`);
        }
        await Deno.remove(`${folder}/out`, { recursive: true });
      }
      assertEquals(problems, []);
      assert(kept > 0 && named > 0, `${kept} kept, ${named} named`);
    }));
}
