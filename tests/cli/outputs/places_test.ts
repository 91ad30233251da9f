/** Odd places for results: URLs, symbolic links, and little memory for many workers. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { open } from "../../../src/formats/open.ts";
import { congruential } from "../../udf/blobfinder/frames.ts";
import { digestOf } from "../../views/sinks/data.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

async function imageIn(folder: string, size: number): Promise<string> {
  const chance = congruential(3);
  const samples = Float32Array.from({ length: size * size }, () => chance.next().value ?? 0);
  const path = `${folder}/image.npy`;
  await writeNpy(path, "<f4", [size, size], new Uint8Array(samples.buffer));
  return path;
}

const OBSERVATION = fromFileUrl(new URL("../../data/observations/small.ps.zarr", import.meta.url));

const FLAGS = ["--quiet", "--workers", "0"];

Deno.test("a URL is no place for results, and no folder file: is made", async () => {
  await withFolder(async (folder) => {
    const image = await imageIn(folder, 20);
    const sky = `${folder}/sky.csv`;
    await Deno.writeTextFile(sky, "Name,Type,Ra,Dec,I\ns1,POINT,71.62,-28.64,1\n");
    for (
      const url of [
        `file://${folder}/a.npy`,
        `https://lab.org/a.npy`,
        `S3://lab/a.npy`,
        `file:${folder}/a.npy`,
      ]
    ) {
      const verbs = [
        ["map", "sobel", image, "-o", url],
        ["run", "sum", image, "-o", url],
        ["convert", image, url],
        ["predict", sky, OBSERVATION, "-o", url],
        ["image", OBSERVATION, "-o", url],
      ];
      for (
        const words of [...verbs.map((words) => [...words, ...FLAGS]), [
          "pick",
          image,
          "--box",
          "0:2,0:2",
          "-o",
          url,
        ]]
      ) {
        const { code, err } = await cli(words);
        assertEquals(code, 2, `${words.join(" ")}: ${err}`);
        assertMatch(err, /is a URL, and results go to files: (write the path, \/|name a file)/);
      }
    }
  });
});

Deno.test("what lies behind a symbolic link is written, and the link stays", async () => {
  await withFolder(async (folder) => {
    const image = await imageIn(folder, 300);
    await Deno.mkdir(`${folder}/far`);
    for (
      const [name, target] of [["a.npy", "far/b.npy"], ["a.tif", "far/b.tif"], [
        "a.zarr",
        "far/b.zarr",
      ]] as const
    ) {
      await Deno.symlink(target, `${folder}/${name}`);
      for (let i = 0; i < 2; i++) { // not there yet, then there
        const words = ["map", i === 0 ? "sobel" : "box:radius=2", image, "--no-picture", "--no-manifest"];
        for (const out of [`${folder}/${name}`, `${folder}/plain-${name}`]) {
          const { code, err } = await cli([...words, "-o", out, ...FLAGS]);
          assertEquals(code, 0, err);
        }
        assert((await Deno.lstat(`${folder}/${name}`)).isSymlink);
        assertEquals(await digestOf(`${folder}/${target}`), await digestOf(`${folder}/plain-${name}`));
      }
    }
    assertEquals([...Deno.readDirSync(`${folder}/far`)].map(({ name }) => name).sort(), [
      "b.npy",
      "b.tif",
      "b.zarr",
    ]);
    await Deno.symlink("image.npy", `${folder}/to-input.npy`);
    const before = await digestOf(image);
    const { code, err } = await cli(["map", "sobel", image, "-o", `${folder}/to-input.npy`, ...FLAGS]);
    assertEquals([code, await digestOf(image)], [1, before], err);
  });
});

Deno.test("fewer workers are used where there is no memory for the chunks of all", async () => {
  await withFolder(async (folder) => {
    const image = await imageIn(folder, 1500);
    for (const out of ["a.ome.zarr", "a.zarr", "a.tif"]) {
      const words = ["convert", image, `${folder}/${out}`, "--quiet", "--memory", "16MiB"];
      const many = await cli([...words, "--workers", "8"]);
      assertEquals(many.code, 0, many.err);
      const digest = await digestOf(`${folder}/${out}`);
      assertEquals((await cli([...words, "--workers", "1"])).code, 0);
      assertEquals(await digestOf(`${folder}/${out}`), digest);
    }
    const { shape } = await open(`${folder}/a.tif`);
    assertEquals(shape, [1500, 1500]);
  });
});

Deno.test("messages that repeat what was typed stay readable, however long it is", async () => {
  const long = "x".repeat(1e6);
  const lines = [[long], ["info", long], ["run", long, "a.npy"], [
    "map",
    `expr:${long}`,
    "a.npy",
    "-o",
    "b.npy",
  ]];
  for (const words of [...lines, ["info", "a.npy", `--${long}`], ["run", "sum", "a.npy", "--roi", long]]) {
    const { code, err } = await cli(words);
    assert(code !== 0 && err.length < 2000, `${err.length} letters`);
    assertMatch(err, /xxx… \(9\d+ more characters\) …xxx/);
  }
});
