/** What `map` leaves beside its result: a picture, and a manifest that `replay` computes again. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { cli, withFolder, writeNpy } from "../harness.ts";

/** An image of uint8 in a file, with different samples for each `seed`. */
async function writeImage(path: string, shape: readonly number[], seed = 1): Promise<void> {
  const count = shape.reduce((product, n) => product * n, 1);
  const data = new Uint8Array(count).map((_, i) => (i * seed * 7919 + (i >> 7)) % 251);
  await writeNpy(path, "|u1", shape, data);
}

async function mapped(words: readonly string[]): Promise<Record<string, unknown>> {
  const { code, err, json } = await cli(["map", ...words, "--json"]);
  assertEquals(code, 0, `${words.join(" ")}: ${err}`);
  return json()[0]!;
}

async function manifestAt(path: string) {
  return JSON.parse(await Deno.readTextFile(path));
}

Deno.test("map leaves a manifest beside any kind of result, and replay finds the same bits", async () => {
  await withFolder(async (folder) => {
    const image = `${folder}/image.npy`;
    await writeImage(image, [3, 90, 70]);
    const words = ["gaussian:sigma=0x1x1.5", "maximum:radius=0x1x2", image];
    const digests = new Set<unknown>();
    for (const name of ["a.npy", "b.zarr", "c.ome.zarr", "d.tif", "e.ome.tif", "f.png"]) {
      const out = `${folder}/${name}`;
      const row = await mapped([...words, "-o", out, "--border", "wrap"]);
      const stem = name.replace(/\.npy$/, "");
      const path = `${folder}/${stem}.run.json`;
      assertEquals(row.manifest, path);
      const manifest = await manifestAt(path);
      const files = name.endsWith(".png") ? [out] : [out, `${folder}/${stem}.png`];
      assertEquals(manifest.results[0].files, files);
      assertEquals([manifest.manifest, manifest.inputs[0].name], ["tilewise-map-1", image]);
      assertEquals(manifest.filters.map((filter: { name: string }) => filter.name), [
        "gaussian",
        "localMaximum",
      ]);
      assertEquals(manifest.filters[0].params.sigma, [0, 1, 1.5]);
      assertEquals(manifest.views, { radius: [0, 5, 8], border: "wrap" });
      assertEquals(await Deno.stat(files.at(-1)!).then(({ size }) => size > 100), true);
      digests.add(manifest.results[0].sha256);
      const again = await cli(["replay", path, "--json", "--workers", name === "b.zarr" ? "2" : "0"]);
      assertEquals(again.code, 0, again.err);
      assertEquals(again.json().map(({ result, same }) => [result, same]), [["image", true]]);
    }
    assertEquals(digests.size, 1);
    const [stats] = (await cli(["stats", `${folder}/a.npy`, "--sha256", "--json"])).json();
    assertEquals(digests.has(stats!.sha256), true);
  });
});

Deno.test("replay of a map notices other samples", async () => {
  await withFolder(async (folder) => {
    await writeImage(`${folder}/image.npy`, [30, 40]);
    await mapped(["median", `${folder}/image.npy`, "-o", `${folder}/a.npy`]);
    await writeImage(`${folder}/image.npy`, [30, 40], 3);
    const { code, out, err } = await cli(["replay", `${folder}/a.run.json`, "--quiet"]);
    assertEquals(code, 1);
    assertMatch(err, /image.npy is not the file that the run read/);
    assertMatch(out, /image\s+differs/);
  });
});

Deno.test("a picture of a large result shows means, and says so", async () => {
  await withFolder(async (folder) => {
    await writeImage(`${folder}/image.npy`, [2100, 2200]);
    const images: [string, number, number[]][] = [["a.tif", 3, [734, 700]], ["b.png", 2, [1100, 1050]]];
    for (const [name, n, sides] of images) {
      const row = await mapped(["minimum", `${folder}/image.npy`, "-o", `${folder}/${name}`]);
      const picture = `${folder}/${name.replace("tif", "tif.png")}`;
      assertEquals([row.reduced, (row.files as string[]).at(-1)], [n, picture]);
      const manifest = await manifestAt(`${folder}/${name}.run.json`);
      assertEquals([manifest.results[0].reduced, manifest.results[0].shape], [n, [2100, 2200]]);
      const size = new DataView((await Deno.readFile(picture)).buffer, 16);
      assertEquals([size.getUint32(0), size.getUint32(4)], sides);
    }
  });
});

Deno.test("complex results have pictures of any size, of magnitudes", async () => {
  await withFolder(async (folder) => {
    const data = Float32Array.from({ length: 2 * 1040 * 1020 }, (_, i) => i % 2 ? -4 : 3);
    await writeNpy(`${folder}/in.npy`, "<c8", [1040, 1020], new Uint8Array(data.buffer));
    const words = ["convert:dtype=complex64", `${folder}/in.npy`, "-o", `${folder}/a.zarr`];
    const row = await mapped([...words, "--compression", "none"]);
    assertEquals([row.dtype, row.reduced], ["complex64", 2]);
  });
});

Deno.test("what no picture shows has none, and cannot be written as one", async () => {
  await withFolder(async (folder) => {
    await writeImage(`${folder}/line.npy`, [50]);
    const row = await mapped(["maximum", `${folder}/line.npy`, "-o", `${folder}/a.npy`]);
    assertEquals(row.files, [`${folder}/a.npy`]);
    const { code, err } = await cli(["map", "maximum", `${folder}/line.npy`, "-o", `${folder}/a.png`]);
    assertEquals(code, 1);
    assertStringIncludes(err, "a picture has up to 64 images, of two dimensions");
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), [
      "a.npy",
      "a.run.json",
      "line.npy",
    ]);
  });
});

Deno.test("replay of a map asks before it imports a module", async () => {
  await withFolder(async (folder) => {
    await writeImage(`${folder}/image.npy`, [20, 30]);
    const module = `${folder}/mine.ts`;
    await Deno.writeTextFile(
      module,
      "export function copy({ data }, out) { out.data.set(data.subarray(0, out.data.length)); }",
    );
    await mapped([`${module}#copy`, `${folder}/image.npy`, "-o", `${folder}/a.npy`, "--tile", "20x30"]);
    const refused = await cli(["replay", `${folder}/a.run.json`]);
    assertEquals(refused.code, 1);
    assertStringIncludes(refused.err, `it names the module ${module}, whose code would run`);
    await Deno.writeTextFile(module, await Deno.readTextFile(module) + " // changed");
    const again = await cli(["replay", `${folder}/a.run.json`, `--allow-modules=${module}`]);
    assertEquals(again.code, 0, again.err);
    assertStringIncludes(again.err, "mine.ts is not the module that the run used");
  });
});

Deno.test("any field of a manifest of map that is wrong is named", async () => {
  await withFolder(async (folder) => {
    await writeImage(`${folder}/image.npy`, [8, 9]);
    await mapped(["median", `${folder}/image.npy`, "-o", `${folder}/a.npy`]);
    const manifest = await manifestAt(`${folder}/a.run.json`);
    for (const key of Object.keys(manifest)) {
      for (const value of [7, null, undefined, "x", [1]]) {
        await Deno.writeTextFile(`${folder}/b.run.json`, JSON.stringify({ ...manifest, [key]: value }));
        const { code, err } = await cli(["replay", `${folder}/b.run.json`, "--quiet"]);
        const isText = value === "x" && key === "version";
        assert(
          isText ? code === 0 : code === 1 && /\[malformed\] Cannot replay \S+b\.run\.json/.test(err),
          err,
        );
      }
    }
  });
});

Deno.test("a result has one digest, whatever it is written to, also as a picture alone", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/in.npy`, "|u1", [20, 30], Uint8Array.from({ length: 600 }, (_, i) => i % 251));
    const digests = new Set<unknown>();
    for (const [n, ending] of [".png", ".npy", ".zarr", ".tif", ".hspy"].entries()) {
      const words = ["map", "gaussian:sigma=2", `${folder}/in.npy`, "-o", `${folder}/r${n}${ending}`];
      const told = await cli([...words, "--json", "-q"]);
      assertEquals(told.code, 0, told.out);
      const { sha256, manifest } = told.json()[0]!;
      digests.add(sha256);
      assertEquals((await cli(["replay", String(manifest)])).code, 0);
    }
    assertEquals(digests.size, 1);
  });
});
