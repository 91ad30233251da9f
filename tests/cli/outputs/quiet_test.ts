/** With `-q` no verb writes a picture beside a result; a picture that is the result stays. */

import { assert, assertEquals } from "@std/assert";
import { VERBS } from "../../../src/cli/main.ts";
import { writeObservation } from "../../observations/expected.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

/** A verb: its commands, the last of which writes; and how many pictures it leaves, without and with `-q`. */
interface Row {
  readonly verb: string;
  commands(folder: string): string[][];
  readonly pictures: readonly [usual: number, quiet: number];
}

const INLINE = ["--workers", "0"];

const ROWS: readonly Row[] = [
  {
    verb: "pick",
    commands: (at) => [[`${at}/scan.npy`, "--at", "1,2", "-o", `${at}/a.npy`]],
    pictures: [1, 0],
  },
  {
    verb: "pick",
    commands: (at) => [[`${at}/scan.npy`, "--at", "1,2", "-o", `${at}/a.png`]],
    pictures: [1, 1],
  },
  {
    verb: "run",
    commands: (at) => [["sum", `${at}/scan.npy`, "-o", `${at}/out/`, ...INLINE]],
    pictures: [1, 0],
  },
  {
    verb: "merge",
    commands: (at) => [
      ["run", "sum", `${at}/scan.npy`, "--store", `dir:${at}/parts`, "--shard", "1/1", ...INLINE],
      [`dir:${at}/parts`, "-o", `${at}/sum.npy`],
    ],
    pictures: [1, 0],
  },
  {
    verb: "map",
    commands: (at) => [["sobel", `${at}/scan.npy`, "-o", `${at}/a.tif`, ...INLINE]],
    pictures: [1, 0],
  },
  {
    verb: "map",
    commands: (at) => [["sobel", `${at}/scan.npy`, "-o", `${at}/a.png`, ...INLINE]],
    pictures: [1, 1],
  },
  { verb: "convert", commands: (at) => [[`${at}/scan.npy`, `${at}/a.mib`]], pictures: [0, 0] },
  {
    verb: "predict",
    commands: (at) => [[`${at}/sky.txt`, `${at}/day.ms`, "-o", `${at}/model.zarr`, ...INLINE]],
    pictures: [0, 0],
  },
  {
    verb: "image",
    commands: (at) => [[`${at}/day.ms`, "-o", `${at}/a.fits`, "--pixels", "32", ...INLINE]],
    pictures: [1, 0],
  },
  { verb: "uvplot", commands: (at) => [[`${at}/day.ms`, "-o", `${at}/uv.png`]], pictures: [1, 1] },
  { verb: "new", commands: (at) => [["udf", "own", "-o", at]], pictures: [0, 0] },
  {
    verb: "demo",
    commands: (at) => [["--scan", "12x16", "--side", "64", "-o", `${at}/demo`, ...INLINE]],
    pictures: [5, 0],
  },
  { verb: "demo", commands: (at) => [["radio", "-o", `${at}/radio`, ...INLINE]], pictures: [3, 0] },
];

async function writeInputs(folder: string): Promise<void> {
  const samples = Uint16Array.from({ length: 3 * 4 * 20 * 24 }, (_, i) => (7 * i * i) % 3001);
  await writeNpy(`${folder}/scan.npy`, "<u2", [3, 4, 20, 24], new Uint8Array(samples.buffer));
  await writeObservation(folder);
}

/** How many pictures are in a folder and in those inside. */
function picturesIn(folder: string): number {
  const entries = [...Deno.readDirSync(folder)];
  return entries.reduce(
    (sum, { name, isDirectory }) =>
      sum + (isDirectory ? picturesIn(`${folder}/${name}`) : Number(name.endsWith(".png"))),
    0,
  );
}

async function leftBy({ verb, commands }: Row, flags: readonly string[]): Promise<number> {
  let count = 0;
  await withFolder(async (folder) => {
    await writeInputs(folder);
    const all = commands(folder);
    for (const words of all.slice(0, -1)) assertEquals((await cli(words)).code, 0);
    const { code, err } = await cli([verb, ...all.at(-1)!, ...flags]);
    assertEquals(code, 0, err);
    count = picturesIn(folder);
  });
  return count;
}

for (const row of ROWS) {
  const said = row.commands("").at(-1)!.find((word) =>
    /\.\w+$|^radio$/.test(word) && !word.includes("scan.npy")
  ) ?? "";
  Deno.test(`${row.verb} ${said} -q`, async () => {
    assertEquals([await leftBy(row, []), await leftBy(row, ["-q"])], row.pictures);
  });
}

Deno.test("every verb that writes files has a row here", async () => {
  const verbs = await Promise.all(VERBS.map((entry) => entry.load()));
  const writing = verbs.filter(({ writes }) => writes).map(({ name }) => name);
  assert(writing.length > 0);
  assertEquals([...new Set(ROWS.map(({ verb }) => verb))].toSorted(), writing.toSorted());
});
