/** A command that is ended by a signal leaves nothing half-written; what kill -9 leaves is removed later. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { STALE_AFTER } from "../../../src/io/write/part_files.ts";
import { cli, TILEWISE, withFolder, writeNpy } from "../harness.ts";

const path = (name: string) => decodeURIComponent(new URL(name, import.meta.url).pathname);

function start(words: readonly string[]): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: [...TILEWISE, ...words],
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

function parts(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).filter((name) => /\.part(ial)?$/.test(name));
}

/** Whether the file that is written has begun; the one that tries whether the folder can be written to is gone soon. */
function hasPart(folder: string): boolean {
  return parts(folder).some((name) => !name.startsWith(".probe."));
}

async function until(done: () => boolean): Promise<void> {
  while (!done()) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** A conversion that takes seconds: 2 GiB of zeros, of which the disk holds none. */
async function withConvert(
  out: string,
  body: (words: string[], folder: string) => Promise<void>,
): Promise<void> {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a.raw`, new Uint8Array());
    await Deno.truncate(`${folder}/a.raw`, 2 ** 31);
    const flags = ["--dtype", "uint8", "--nav", "8", "--sig", "16384x16384", "--workers", "2", "--quiet"];
    await Deno.writeTextFile(`${folder}/${out}`, "old");
    await body(["convert", `${folder}/a.raw`, `${folder}/${out}`, ...flags], folder);
  });
}

for (const [signal, code] of [["SIGTERM", 143], ["SIGHUP", 129], ["SIGINT", 130]] as const) {
  Deno.test(`${signal} ends convert: the old file stays, and no part of the new one`, async () => {
    await withConvert("a.tif", async (words, folder) => {
      const child = start(words);
      await until(() => hasPart(folder));
      child.kill(signal);
      const { code: found, stderr } = await child.output();
      const text = new TextDecoder().decode(stderr);
      assertEquals(found, code, text);
      assertMatch(text, /^tilewise: interrupted: [^\n]*\n$/);
      assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), ["a.raw", "a.tif"]);
      assertEquals(await Deno.readTextFile(`${folder}/a.tif`), "old");
    });
  });
}

Deno.test("what kill -9 leaves stays hidden, stops no later command, and is removed by one when it is old", async () => {
  await withConvert("a.npy", async (words, folder) => {
    const child = start(words);
    await until(() => hasPart(folder));
    child.kill("SIGKILL");
    await child.output();
    assertEquals(await Deno.readTextFile(`${folder}/a.npy`), "old");
    const [left] = parts(folder);
    assert(left);
    const then = new Date(Date.now() - STALE_AFTER - 60_000);
    await Deno.utime(`${folder}/${left}`, then, then);
    const flags = ["--dtype", "uint8", "--nav", "10", "--sig", "20x20", "--allow-truncated"];
    const { code, err } = await cli([
      "pick",
      `${folder}/a.raw`,
      "--at",
      "0",
      ...flags,
      "-o",
      `${folder}/p.npy`,
    ]);
    assertEquals(code, 0, err);
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), [
      "a.npy",
      "a.raw",
      "p.npy",
      "p.png",
      "p.run.json",
    ]);
  });
});

Deno.test("what kill -9 leaves of a file in tiles is removed when that file is written again", async () => {
  await withConvert("a.tif", async (words, folder) => {
    const child = start(words);
    await until(() => hasPart(folder));
    child.kill("SIGKILL");
    await child.output();
    assertEquals([await Deno.readTextFile(`${folder}/a.tif`), parts(folder).length], ["old", 1]);
    await writeNpy(`${folder}/b.npy`, "|u1", [40, 50], new Uint8Array(2000));
    const { code, err } = await cli(["convert", `${folder}/b.npy`, `${folder}/a.tif`, "--quiet"]);
    assertEquals(code, 0, err);
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assertEquals([names, (await Deno.stat(`${folder}/a.tif`)).size > 100], [
      ["a.raw", "a.tif", "a.tif.run.json", "b.npy"],
      true,
    ]);
  });
});

Deno.test("SIGTERM keeps what a run has done, beside the old result", async () => {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a.raw`, new Uint8Array(100_000 * 16));
    await Deno.writeTextFile(`${folder}/seen.npy`, "old");
    const slow = `${path("slow_udf.ts")}:marker=${folder}/marker`;
    const flags = ["--dtype", "uint8", "--nav", "100x1000", "--sig", "4x4", "--workers", "2"];
    const words = [
      "run",
      slow,
      `${folder}/a.raw`,
      "--partitions",
      "3000",
      ...flags,
      "-o",
      `${folder}/seen.npy`,
    ];
    const child = start(words);
    await until(() => [...Deno.readDirSync(folder)].some(({ name }) => name === "marker"));
    child.kill("SIGTERM");
    const { code, stderr, stdout } = await child.output();
    const [err, out] = [stderr, stdout].map((bytes) => new TextDecoder().decode(bytes)) as [string, string];
    assertEquals(code, 143, err);
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
    assertEquals(names.filter((name) => name.startsWith(".")), []);
    assertEquals(await Deno.readTextFile(`${folder}/seen.npy`), "old");
    assertMatch(err, /the partial result is kept in \S+seen\.partial\.npy, \S+seen\.npy is as it was/);
    assertMatch(out, /; partial: \d+ of 100000 frames/);
    assert(names.includes("seen.partial.npy") && names.includes("seen.partial.run.json"));
  });
});
