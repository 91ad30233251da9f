/** Results, pictures and manifests are sets: named after the result, replaced as a whole, at once or not at all. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { replaceWriteCalls, writeCalls } from "../../../src/io/write/calls.ts";
import { endingsFor } from "../../../src/sinks/registry.ts";
import { failWrite } from "../../io/failing_writes.ts";
import { digestOf } from "../../views/sinks/data.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();

async function withScan(body: (scan: string, folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const scan = `${folder}/scan.npy`;
    await writeNpy(scan, "|u1", [4, 5, 6, 7], Uint8Array.from({ length: 840 }, (_, i) => i % 91));
    await Deno.mkdir(`${folder}/to`);
    await body(scan, `${folder}/to`);
  });
}

async function withImage(body: (image: string, folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const image = `${folder}/image.npy`;
    await writeNpy(image, "|u1", [70, 90], Uint8Array.from({ length: 6300 }, (_, i) => i % 91));
    await Deno.mkdir(`${folder}/to`);
    await body(image, `${folder}/to`);
  });
}

async function done(...words: string[]): Promise<void> {
  const { code, err } = await cli(words);
  assertEquals(code, 0, `${words.join(" ")}: ${err}`);
}

async function refused(...words: string[]): Promise<string> {
  const { code, err } = await cli([...words, "--quiet"]);
  assertEquals(code, 1, words.join(" "));
  return err;
}

Deno.test("every result has a manifest of its own, which can be replayed", async () => {
  await withScan(async (scan, folder) => {
    await done("run", "sum", scan, "-o", `${folder}/first`);
    await done("run", "sumsig", scan, "-o", `${folder}/second`);
    await done("run", "sum", scan, "-o", `${folder}/first.tif`);
    assertEquals(names(folder), [
      ...["first.npy", "first.png", "first.run.json", "first.tif", "first.tif.run.json"],
      ...["second.npy", "second.png", "second.run.json"],
    ]);
    for (const name of names(folder).filter((name) => name.endsWith(".run.json"))) {
      await done("replay", `${folder}/${name}`);
    }
  });
});

Deno.test("a folder holds many sets; one is replaced by results that are all of it, not by some", async () => {
  await withScan(async (scan, folder) => {
    await done("run", "sum", "sumsig", scan, "-o", `${folder}/`);
    const first = names(folder);
    assert(first.includes("sum+sumsig.run.json"));
    await done("run", "com", scan, "-o", `${folder}/`);
    assertEquals(names(folder).filter((name) => !name.startsWith("com")), first);
    const before = await digestOf(folder);
    const error = await refused("run", "sum", scan, "-o", `${folder}/`);
    assertMatch(
      error,
      /\[conflict\] Cannot write \S+sum.npy: it belongs to the results of \S+sum\+sumsig.run.json/,
    );
    assertStringIncludes(error, "sumsig.npy would be left");
    await done("run", "com", scan, "-o", `${folder}/own/r.npy`);
    assertMatch(
      await refused("run", "sum", scan, "-o", `${folder}/own/r.npy`),
      /\[conflict\] Cannot write \S+r.run.json: it is the manifest of \S+r-\S+.npy, which this command does not write/,
    );
    await Deno.remove(`${folder}/own`, { recursive: true });
    assertEquals(await digestOf(folder), before);
    await done("run", "sum", "sumsig", scan, "-o", `${folder}/`);
    await done("run", "sumsig", "sum", "com", scan, "-o", `${folder}/`);
    assertEquals(names(folder).filter((name) => name.endsWith(".run.json")), ["sumsig+sum+com.run.json"]);
  });
});

Deno.test("what lies beside an older result goes with it", async () => {
  await withImage(async (image, folder) => {
    const map = (...words: string[]) => done("map", "minimum", image, "-o", ...words);
    await map(`${folder}/a.npy`);
    assertEquals(names(folder), ["a.npy", "a.png", "a.run.json"]);
    await map(`${folder}/a.npy`, "--no-picture");
    assertEquals(names(folder), ["a.npy", "a.run.json"]);
    await map(`${folder}/a.npy`);
    await map(`${folder}/a.npy`, "--no-picture", "--no-manifest");
    assertEquals(names(folder), ["a.npy"]);
  });
});

Deno.test("every kind of file of map has a picture and a manifest of its own", async () => {
  await withImage(async (image, folder) => {
    for (const ending of endingsFor("results")) {
      await done("map", "minimum", image, "-o", `${folder}/a${ending}`);
    }
    const stems = endingsFor("results").map((ending) => `a${ending === ".npy" ? "" : ending}`);
    const expected = endingsFor("results").flatMap((
      ending,
      i,
    ) => [`a${ending}`, `${stems[i]}.png`, `${stems[i]}.run.json`]);
    assertEquals(names(folder), expected.sort());
    for (const stem of stems) await done("replay", `${folder}/${stem}.run.json`);
    assertStringIncludes(await refused("map", "minimum", image, "-o", `${folder}/a.png`), "[conflict]");
  });
});

Deno.test("a file of a set is not written without its result, and the set of another verb is replaced as a whole", async () => {
  await withImage(async (image, folder) => {
    await done("map", "minimum", image, "-o", `${folder}/a.npy`);
    const before = await digestOf(folder);
    for (const words of [["run", "sum"], ["pick", "--box", "0:3,0:3"]]) {
      assertStringIncludes(await refused(...words, image, "-o", `${folder}/a.png`), "[conflict]");
    }
    assertEquals(await digestOf(folder), before);
    await done("convert", image, `${folder}/a.npy`);
    assertEquals(names(folder), ["a.npy", "a.run.json"]);
    await done("replay", `${folder}/a.run.json`);
  });
});

/** While it is not disposed of, `late` is called before the part file of a manifest is made, when results are complete. */
async function beforeManifests(late: () => void): Promise<Disposable> {
  const system = await writeCalls();
  return replaceWriteCalls({
    ...system,
    create: (path, mode) => {
      if (path.includes("run.json")) late();
      return system.create(path, mode);
    },
  });
}

Deno.test("a late change of the source, or a late signal, leaves the old set of map as it was", async () => {
  await withImage(async (image, folder) => {
    let year = 1e9;
    for (const ending of endingsFor("results")) {
      const out = `${folder}/a${ending}`;
      await done("map", "minimum", image, "-o", out);
      const before = await digestOf(folder);
      const words = ["map", "maximum", image, "-o", out];
      {
        using _ = await beforeManifests(() => Deno.utimeSync(image, ++year, year));
        const { code, err } = await cli(words);
        assertEquals([code, /changed/.test(err)], [1, true], `${ending}: ${err}`);
      }
      assertEquals(await digestOf(folder), before, ending);
      const stop = new AbortController();
      {
        using _ = await beforeManifests(() => stop.abort());
        assert((await cli(words, { signal: stop.signal })).code !== 0, ending);
      }
      assertEquals(await digestOf(folder), before, ending);
    }
  });
});

Deno.test("whichever call fails, the files of a set are all old or all new", async () => {
  await withImage(async (image, folder) => {
    for (const name of ["a.npy", "a.zarr"]) {
      const out = `${folder}/${name}`;
      const map = (filter: string) => cli(["map", filter, image, "-o", out, "--workers", "0"]);
      for (let n = 1, more = true; more; n++) {
        assertEquals((await map("minimum")).code, 0);
        const old = await digestOf(folder);
        let code: number;
        {
          using fault = await failWrite(n, "ENOSPC");
          ({ code } = await map("maximum"));
          more = fault.calls >= n;
        }
        // Where old files cannot have a second name, new ones take their places without.
        if (code === 0) await done("replay", `${folder}/${name.replace(".npy", "")}.run.json`);
        else assertEquals([code, await digestOf(folder) === old], [1, true], `${name}, call ${n}`);
      }
      await Deno.remove(folder, { recursive: true });
      await Deno.mkdir(folder);
    }
  });
});
