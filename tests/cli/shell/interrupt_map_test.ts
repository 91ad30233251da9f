/** Signals to a process that filters or converts: the target is absent, old or complete, and nothing else is left. */

import { assertEquals, assertMatch } from "@std/assert";
import { cli, TILEWISE, withFolder } from "../harness.ts";

const SHAPE = ["--dtype", "uint16", "--nav", "32", "--sig", "1024x1024"];

/** Names in a folder, hidden ones included. */
function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** Sends `signal` to a command when it has begun to write; its exit code, and what it has said. */
async function stopped(
  words: readonly string[],
  folder: string,
  signal: Deno.Signal,
): Promise<{ readonly code: number; readonly err: string }> {
  const args = [...TILEWISE, ...words, ...SHAPE, "--workers", "1"];
  const child = new Deno.Command(Deno.execPath(), { args, stdout: "null", stderr: "piped" }).spawn();
  const isUnderWay = () => names(folder).some((name) => name.startsWith(".out"));
  let ended = false;
  child.status.then(() => ended = true);
  while (!isUnderWay() && !ended) await new Promise((resolve) => setTimeout(resolve, 25));
  await new Promise((resolve) => setTimeout(resolve, 50)); // it may write meanwhile
  if (!ended) child.kill(signal);
  const { code, stderr } = await child.output();
  return { code, err: new TextDecoder().decode(stderr) };
}

/** 64 MiB of zeros that take no room on the disk. */
async function withScan(body: (scan: string, folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/scan.raw`, new Uint8Array(0));
    await Deno.truncate(`${folder}/scan.raw`, 32 * 2 ** 21);
    await body(`${folder}/scan.raw`, folder);
  });
}

const SLOW = "percentile:percent=40,radius=0x9x9";

const CASES:
  readonly (readonly [name: string, verb: string, out: string, signal: Deno.Signal, code: number])[] = [
    ["map to npy", "map", "out.npy", "SIGINT", 130],
    ["map to Zarr", "map", "out.zarr", "SIGTERM", 143],
    ["map to TIFF", "map", "out.tif", "SIGINT", 130],
    ["convert to OME-Zarr", "convert", "out.ome.zarr", "SIGINT", 130],
  ];

for (const [name, verb, file, signal, expected] of CASES) {
  Deno.test(`${name} ends at ${signal}: the target is as it was, and no temporary file is left`, async () => {
    await withScan(async (scan, folder) => {
      const isOld = file.endsWith(".npy");
      if (isOld) await Deno.writeTextFile(`${folder}/${file}`, "old");
      const before = names(folder);
      const out = `${folder}/${file}`;
      const words = verb === "map" ? ["map", SLOW, scan, "-o", out] : ["convert", scan, out];
      const { code, err } = await stopped(words, folder, signal);
      if (code === 0) { // it was faster than the signal
        assertEquals(names(folder).filter((name) => name.startsWith(".")), []);
        return;
      }
      assertEquals(code, expected, err);
      assertMatch(err, /^tilewise: interrupted: [^\n]*\n$/);
      assertEquals(names(folder), before);
      if (isOld) assertEquals(await Deno.readTextFile(out), "old");
    });
  });
}

Deno.test("a convert with --resume that is stopped goes on, and leaves what a whole one leaves", async () => {
  await withScan(async (scan, folder) => {
    const out = `${folder}/out.tif`;
    const words = ["convert", scan, out, "--compression", "deflate:9", "--resume"];
    const { code, err } = await stopped(words, folder, "SIGTERM");
    if (code !== 0) {
      assertEquals(code, 143, err);
      assertMatch(names(folder).join(), /^\.out\.tif\.tw-[0-9a-f]+\.partial,scan\.raw$/);
    }
    const again = await cli([...words, ...SHAPE, "--workers", "1", "--quiet"]);
    assertEquals([again.code, again.err], [0, ""]);
    assertEquals(names(folder), ["out.tif", "out.tif.run.json", "scan.raw"]);
    const [stats] = (await cli(["stats", out, "--array", "series0", "--json"])).json();
    assertEquals([stats!.count, stats!.sum], [2 ** 25, 0]);
  });
});
