/** No result is written into a store or a table that the command reads: it would be part of what is read next. */

import { cp } from "node:fs/promises";
import { assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { digestOf } from "../../views/sinks/data.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

const OBSERVATIONS = fromFileUrl(new URL("../../data/observations", import.meta.url));

async function refused(folder: string, ...words: string[]): Promise<void> {
  const before = await digestOf(folder);
  const { code, err } = await cli([...words, "--quiet"]);
  assertEquals(code, 1, words.join(" "));
  assertMatch(err, /\[invalid\] Cannot write \S+: .*being read/, words.join(" "));
  assertEquals(await digestOf(folder), before, words.join(" "));
}

/** The same tree, of hard links. */
async function linkTree(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for (const { name, isDirectory } of Deno.readDirSync(from)) {
    if (isDirectory) await linkTree(`${from}/${name}`, `${to}/${name}`);
    else await Deno.link(`${from}/${name}`, `${to}/${name}`);
  }
}

Deno.test("map, run, convert and pick write nothing into the store that they read, or into a tree of its links", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/image.npy`, "|u1", [40, 50], new Uint8Array(2000).fill(7));
    for (const name of ["in.zarr", "in.ome.zarr"]) {
      const store = `${folder}/${name}`;
      assertEquals((await cli(["convert", `${folder}/image.npy`, store, "--quiet"])).code, 0);
      await linkTree(store, `${folder}/links-${name}`);
      await Deno.symlink(store, `${folder}/soft-${name}`);
      for (const place of [store, `${folder}/links-${name}`, `${folder}/soft-${name}`, `${store}/deep/er`]) {
        await refused(folder, "map", "minimum", store, "-o", `${place}/new.zarr`);
        await refused(folder, "map", "minimum", store, "-o", `${place}/new.npy`);
        await refused(folder, "run", "sum", store, "-o", `${place}/`);
        await refused(folder, "convert", store, `${place}/labels/new.ome.zarr`);
        await refused(folder, "pick", store, "--box", "0:1,0:1", "-o", `${place}/new.npy`);
      }
      await refused(folder, "map", "minimum", store, "-o", `${folder}/links-${name}`);
      const beside = await cli(["map", "minimum", store, "-o", `${folder}/beside-${name}`, "--quiet"]);
      assertEquals([beside.code, beside.err], [0, ""]);
    }
  });
});

Deno.test("predict writes nothing into the observation that it reads", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/sky.csv`, "Name,Type,Ra,Dec,I\ns1,POINT,71.62,-28.64,1\n");
    for (const name of ["small.ps.zarr", "small.ms"]) {
      const source = `${folder}/${name}`;
      await cp(`${OBSERVATIONS}/${name}`, source, { recursive: true });
      for (const out of ["aa.zarr", "model.npy", "small_0/model.zarr"]) {
        await refused(folder, "predict", `${folder}/sky.csv`, source, "-o", `${source}/${out}`);
      }
    }
  });
});

Deno.test("nothing is written into a store of parts of a run, or through a link into one", async () => {
  await withFolder(async (folder) => {
    const scan = `${folder}/scan.npy`, store = `${folder}/store`;
    await writeNpy(scan, "|u1", [2, 2, 4, 4], new Uint8Array(64).fill(7));
    assertEquals((await cli(["run", "sum", scan, "--store", store, "--shard", "1/1", "--quiet"])).code, 0);
    await Deno.symlink(store, `${folder}/soft`);
    const before = await digestOf(store);
    for (const out of [`${store}/sum.npy`, `${store}/parts/sum.npy`, `${folder}/soft/sum.npy`]) {
      for (
        const words of [["merge", store, "-o", out], ["run", "sum", scan, "-o", out], [
          "convert",
          scan,
          out.replace(".npy", ".zarr"),
        ]]
      ) {
        const { code, err } = await cli([...words, "--quiet"]);
        assertEquals(code, 1, words.join(" "));
        assertMatch(err, /\[invalid\] Cannot write \S+: it would be part of \S+, which has parts of a run/);
      }
    }
    const made = await cli([
      "run",
      "sum",
      scan,
      "--store",
      `${folder}/made`,
      "-o",
      `${folder}/made/sum.npy`,
      "--quiet",
    ]);
    assertEquals(made.code, 1);
    assertEquals(await digestOf(store), before);
    assertEquals((await cli(["merge", store, "-o", `${folder}/sum.npy`, "--quiet"])).code, 0);
  });
});
