/** No command writes over a file that it reads, whatever the file is called there, or twice to the same file. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { firstTwice } from "../../../src/io/file/same_file.ts";
import { parseUdfs } from "../../../src/cli/analyses/udf_args.ts";
import { contents } from "../../io/failing_writes.ts";
import { pathOf } from "../../observations/expected.ts";
import { cli, cliChild, type Outcome, withFolder, writeNpy } from "../harness.ts";

const SAMPLES = Uint16Array.from({ length: 4 * 6 * 25 }, (_, i) => (i * i) % 97);

/** A scan of 4 × 6 frames of 5 × 5, an image of that size, and a mask of the scan. */
async function withScan(body: (folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/scan.npy`, "<u2", [4, 6, 5, 5], new Uint8Array(SAMPLES.buffer));
    await writeNpy(`${folder}/image.npy`, "|u1", [5, 5], new Uint8Array(25).fill(1));
    await writeNpy(
      `${folder}/dead.npy`,
      "|u1",
      [5, 5],
      Uint8Array.from({ length: 25 }, (_, i) => i === 7 ? 1 : 0),
    );
    await writeNpy(`${folder}/roi.npy`, "|b1", [4, 6], new Uint8Array(24).fill(1));
    await body(folder);
  });
}

/** The command is refused before it writes anything, with a line that names `file`. */
async function refused(words: readonly string[], folder: string, file: string): Promise<Outcome> {
  const before = contents(folder);
  const outcome = await cli([...words, "--quiet"]);
  const text = `${words.join(" ")}: ${outcome.code} ${outcome.err}`;
  assertEquals(outcome.code, 1, text);
  assert(/^tilewise: \[invalid\] Cannot (write|export to) \S+: /.test(outcome.err), text);
  assert(outcome.err.includes(file), text);
  assertEquals(contents(folder), before, text);
  return outcome;
}

Deno.test("a result is not written over its source: -o scan, ./, with another path, through links", async () => {
  await withScan(async (folder) => {
    const scan = `${folder}/scan.npy`;
    await Deno.mkdir(`${folder}/sub`);
    await Deno.symlink(scan, `${folder}/soft.npy`);
    await Deno.symlink(folder, `${folder}/sub/up`);
    await Deno.link(scan, `${folder}/hard.npy`);
    await Deno.copyFile(scan, `${folder}/sum.npy`);
    const names = [
      "scan",
      "scan.npy",
      "./scan.npy",
      "sub/../scan.npy",
      "sub/up/scan.npy",
      "soft",
      "hard.npy",
    ];
    for (const name of names) {
      const out = `${folder}/${name}`;
      const path = /\.npy$/.test(out) ? out : `${out}.npy`;
      await refused(["run", "sum", scan, "-o", out], folder, path);
      await refused(["pick", scan, "--at", "1,1", "-o", out], folder, path);
      await refused(["convert", scan, path], folder, path);
    }
    const same = await refused(["run", "sum", scan, "-o", `${folder}/soft.npy`], folder, "soft.npy");
    assertMatch(same.err, /soft\.npy: it is \S+\/scan\.npy, which is being read; choose another name/);
    for (const out of [`${folder}/`, folder]) {
      await refused(
        ["run", "sum", `${folder}/sum.npy`, "-o", out],
        folder,
        "sum.npy: that file is being read",
      );
    }
    const before = contents(folder);
    const inside = await cliChild(folder, ["-A"], [
      ["run", "sum", "sum.npy", "-o", "./"],
      ["pick", scan, "--at", "1,1", "-o", "scan.npy"],
    ]);
    for (const [i, name] of ["sum.npy", "scan.npy"].entries()) {
      assertEquals(inside[i]!.code, 1);
      assertStringIncludes(inside[i]!.err, name);
    }
    assertEquals(contents(folder), before);
  });
});

Deno.test("a result is not written over a file that a flag or a parameter names", async () => {
  await withScan(async (folder) => {
    const [scan, image, roi, dead] = ["scan", "image", "roi", "dead"].map((name) => `${folder}/${name}.npy`);
    const own = `${folder}/own.ts`;
    await Deno.writeTextFile(own, "export const one = (frame) => frame[0];");
    const words: [string[], string][] = [
      [["run", "sum", scan!, "--dark", image!, "-o", image!], image!],
      [["run", "sum", scan!, "--gain", image!, "-o", image!], image!],
      [["run", "sum", scan!, "--exclude", dead!, "-o", dead!], dead!],
      [["run", "sum", scan!, "--roi", roi!, "-o", roi!], roi!],
      [["run", `masks:file=${image}`, scan!, "-o", image!], image!],
      [["run", `expr:sum(x*m);m=@${image}`, scan!, "-o", image!], image!],
      [["run", `map:${own}#one:least=@${image}`, scan!, "-o", image!], image!],
      [["convert", scan!, image!, "--dark", image!], image!],
      [["convert", scan!, image!, "--gain", image!], image!],
      [["convert", scan!, roi!, "--roi", roi!], roi!],
    ];
    for (const [command, file] of words) await refused(command, folder, file);
  });
});

Deno.test("a picture, a mask or a manifest beside a result replaces nothing that is read", async () => {
  await withScan(async (folder) => {
    const [scan, image] = [`${folder}/scan.npy`, `${folder}/image.npy`];
    await Deno.copyFile(image, `${folder}/dark.valid.npy`);
    await Deno.copyFile(image, `${folder}/half.partial.npy`);
    const read = (name: string) => ["run", "sum", scan, "--dark", `${folder}/${name}`];
    await refused([...read("dark.valid.npy"), "-o", `${folder}/dark.npy`], folder, "dark.valid.npy");
    await refused([...read("half.partial.npy"), "-o", `${folder}/half.npy`], folder, "half.partial.npy");
  });
});

Deno.test("a description beside the frames, and all files of a series, are read and not replaced", async () => {
  await withScan(async (folder) => {
    assertEquals((await cli(["convert", `${folder}/scan.npy`, `${folder}/a.mib`, "--quiet"])).code, 0);
    await Deno.rename(`${folder}/a.mib`, `${folder}/a_0.mib`);
    await Deno.copyFile(`${folder}/a_0.mib`, `${folder}/a_1.mib`);
    await refused(["convert", `${folder}/a_0.mib`, `${folder}/a_1.mib`], folder, "a_1.mib");
    await refused(["convert", `${folder}/a_0.mib`, `${folder}/a.mib`], folder, "a.hdr");
    assertEquals((await cli(["convert", `${folder}/scan.npy`, `${folder}/b.raw`, "--quiet"])).code, 0);
    await refused(["convert", `${folder}/b.rpl`, `${folder}/b.bin`], folder, "b.rpl");
    await refused(["convert", `${folder}/b.rpl`, `${folder}/b.raw`], folder, "b.raw");
  });
});

Deno.test("two results of one command are not written to the same file", async () => {
  await withScan(async (folder) => {
    const udf = (names: readonly string[]) =>
      `export default () => ({ name: "x", buffers: {${
        names.map((name) => `"${name}": { kind: "nav", dtype: "float64" }`).join(", ")
      }}, processFrame() {} });`;
    await Deno.writeTextFile(`${folder}/a.ts`, udf(["b", "c"]));
    await Deno.writeTextFile(`${folder}/a-b.ts`, udf(["d"]));
    const words = ["run", `${folder}/a.ts`, `${folder}/a-b.ts`, `${folder}/scan.npy`, "--quiet"];
    for (const out of ["out/", "x.npy", "x.npz"]) {
      const { code, err } = await cli([...words, "-o", `${folder}/${out}`]);
      assertEquals(code, 1);
      assertMatch(
        err,
        /^tilewise: \[invalid\] Cannot save two results as a-b: give one of the modules another/,
      );
    }
  });
});

Deno.test("two UDFs never have the same name", () => {
  const keys = parseUdfs(["sum", "sum", "./sum-2.ts", "sum"]).map(({ key }) => key);
  assertEquals(keys, ["sum", "sum-2", "sum-2-2", "sum-3"]);
});

Deno.test("names that differ in capital letters only are the same file where the file system says so", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/probe`, "");
    const isBlind = await Deno.stat(`${folder}/PROBE`).then(() => true, () => false);
    const found = await firstTwice([`${folder}/a.npy`, `${folder}/b.npy`, `${folder}/A.npy`]);
    assertEquals(found, isBlind ? [`${folder}/A.npy`, `${folder}/a.npy`] : undefined);
    assertEquals(await firstTwice([`${folder}/a.npy`, `${folder}/x/../a.npy`]), [
      `${folder}/x/../a.npy`,
      `${folder}/a.npy`,
    ]);
    assertEquals([...Deno.readDirSync(folder)].length, 1);
  });
});

Deno.test("what a command wrote before is not an input of the next one", async () => {
  await withScan(async (folder) => {
    const scan = `${folder}/scan.npy`;
    for (let i = 0; i < 2; i++) {
      assertEquals((await cli(["run", "sum", scan, "--quiet", "-o", `${folder}/sum.npy`])).code, 0);
      assertEquals((await cli(["stats", `${folder}/sum.npy`, "--quiet"])).code, 0);
      assertEquals((await cli(["replay", `${folder}/sum.run.json`])).code, 0);
    }
  });
});

Deno.test("a result that was protected against writing is not replaced", async () => {
  await withScan(async (folder) => {
    const scan = `${folder}/scan.npy`;
    for (const name of ["x.npy", "x.png", "x.run.json"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "mine", { mode: 0o444 });
      const { code, err } = await cli(["run", "sum", scan, "-o", `${folder}/x.npy`, "--quiet"]);
      assertEquals(code, 1);
      assertMatch(err, /^tilewise: \[permission\] Cannot write \S+: that file is protected against writing/);
      assertEquals(await Deno.readTextFile(`${folder}/${name}`), "mine");
      await Deno.remove(`${folder}/${name}`);
    }
    await Deno.writeTextFile(`${folder}/c.npy`, "mine", { mode: 0o444 });
    assertEquals((await cli(["convert", scan, `${folder}/c.npy`])).code, 1);
    assertEquals(await Deno.readTextFile(`${folder}/c.npy`), "mine");
  });
});

Deno.test("a dry run refuses the outputs that the run refuses, in the same words, and makes nothing", async () => {
  await withScan(async (folder) => {
    const scan = `${folder}/scan.npy`, day = pathOf("small.ms");
    await Deno.writeTextFile(`${folder}/file`, "mine");
    await Deno.writeTextFile(`${folder}/safe.npy`, "mine", { mode: 0o444 });
    await Deno.writeTextFile(`${folder}/sky.csv`, "Name,Ra,Dec,I\na,71.62,-28.65,1.5\n");
    const commands: readonly [string[], string, string][] = [
      [["run", "sum", scan], `${folder}/file/a.npy`, "a part of its path is a file, not a folder"],
      [["run", "sum", scan], `${folder}/safe.npy`, "that file is protected against writing"],
      [["run", "sum", scan], `${folder}/a.xyz`, "the name must end with one of "],
      [["run", "sum", scan], scan, scan],
      [["map", "sobel", scan], `${folder}/file/a.npy`, "a part of its path is a file"],
      [["map", "measure:threshold=9", scan], `${folder}/file/a.csv`, "a part of its path is a file"],
      [["image", day], `${folder}/file/a.fits`, "a part of its path is a file"],
      [["predict", `${folder}/sky.csv`, day], `${folder}/file/a.zarr`, "a part of its path is a file"],
    ];
    const before = contents(folder);
    for (const [words, out, said] of commands) {
      const whole = [...words, "-o", out, "--quiet"];
      const [dry, real] = [await cli([...whole, "--dry-run"]), await cli(whole)];
      assertStringIncludes(dry.err, said, words.join(" "));
      assertEquals([dry.code, dry.err, dry.out], [real.code, real.err, ""], words.join(" "));
    }
    const { code, err } = await cli([
      "run",
      "sum",
      scan,
      "--dry-run",
      "-q",
      "-o",
      `${folder}/new/deep/a.npy`,
    ]);
    assertEquals([code, err], [0, ""]);
    assertEquals(contents(folder), before);
  });
});
