/** What `tilewise new` writes runs, passes its test, and is not written over anything. */

import { assert, assertEquals } from "@std/assert";
import { cli, withFolder, writeNpy } from "./harness.ts";

/** Checks types once: that also takes the library as the user's own, less strict, settings see it. */
async function denoTest(folder: string, check: boolean): Promise<{ code: number; text: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["test", "-A", "--quiet", ...(check ? [] : ["--no-check"]), "."],
    cwd: folder,
    env: { NO_COLOR: "1", TILEWISE_CACHE: "" },
  }).output();
  return { code, text: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr) };
}

for (const flags of [[], ["--kernel"]]) {
  Deno.test(`new udf ${flags.join(" ")}: runs, and passes its test in a folder of its own`, async () => {
    await withFolder(async (folder) => {
      const { code, out } = await cli(["new", "udf", "my_udf", ...flags, "-o", folder, "--json"]);
      assertEquals(code, 0);
      const names = flags.length > 0
        ? ["my_udf.as.ts", "my_udf.ts", "my_udf_test.ts"]
        : ["my_udf.ts", "my_udf_test.ts"];
      assertEquals(JSON.parse(out), { files: names.map((name) => `${folder}/${name}`) });
      const { code: tested, text } = await denoTest(folder, flags.length > 0);
      assert(tested === 0, text);
      assert(text.includes(`${flags.length > 0 ? 2 : 1} passed`), text);
      await writeNpy(`${folder}/scan.npy`, "|u1", [2, 2, 2, 2], Uint8Array.from({ length: 16 }, (_, i) => i));
      const args = ["run", `${folder}/my_udf.ts:least=10`, `${folder}/scan.npy`, "--json", "--workers", "0"];
      const run = await cli(args);
      assertEquals(run.code, 0, run.err);
      const bright = run.json().find(({ result }) => result === "bright");
      assertEquals([bright!.shape, bright!.max], [[2, 2], 12 + 13 + 14 + 15]);
    });
  });
}

Deno.test("new udf breaks when the UDF is broken", async () => {
  await withFolder(async (folder) => {
    await cli(["new", "udf", "bad", "--kernel", "-o", folder]);
    const path = `${folder}/bad.as.ts`;
    await Deno.writeTextFile(path, (await Deno.readTextFile(path)).replace("sum += value", "sum += 1"));
    const { code, text } = await denoTest(folder, false);
    assertEquals(code, 1);
    assert(text.includes('Kernel "bad" is not what its twin is, for 1 frame of 1 × 1'), text);
  });
});

Deno.test("new refuses to overwrite, and names that are none", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/mine_test.ts`, "// mine");
    const { code, err } = await cli(["new", "udf", "mine", "-o", folder]);
    assertEquals(code, 1);
    assert(err.includes("mine_test.ts: it is there already"));
    assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name), ["mine_test.ts"]);
    const cases: [string[], string][] = [
      [["new", "udf", "a-b"], '"a-b" is not a name for a UDF'],
      [["new", "verb", "x"], "write: tilewise new udf NAME"],
      [["new", "udf"], "missing an argument"],
    ];
    for (const [words, message] of cases) {
      const { code, err } = await cli(words);
      assert(code === 2 && err.includes(message), err);
    }
    const missing = await cli(["new", "udf", "x", "-o", `${folder}/none`]);
    assert(missing.code === 1 && missing.err.includes("[not-found]"), missing.err);
  });
});

Deno.test("in a project that knows Tilewise, it is imported by its name", async () => {
  await withFolder(async (folder) => {
    await Deno.writeTextFile(
      `${folder}/deno.json`,
      '{ "imports": { "@tilewise/tilewise": "jsr:@tilewise/tilewise" } }',
    );
    await Deno.mkdir(`${folder}/udfs`);
    await cli(["new", "udf", "x", "-o", `${folder}/udfs`]);
    const text = await Deno.readTextFile(`${folder}/udfs/x.ts`);
    for (const entry of ["", "/udf"]) assert(text.includes(`from "@tilewise/tilewise${entry}";`), text);
  });
});

Deno.test("new on a full disk leaves nothing behind", async () => {
  await withFolder(async (folder) => {
    const main = decodeURIComponent(new URL("../../src/cli/main.ts", import.meta.url).pathname);
    const words = ["run", "-A", "--no-check", main, "new", "udf", "mine", "-o", folder];
    const { code, stderr } = await new Deno.Command("bash", {
      args: ["-c", `trap '' XFSZ; ulimit -f 1; exec "$0" "$@"`, Deno.execPath(), ...words],
      stderr: "piped",
    }).output();
    const text = new TextDecoder().decode(stderr);
    assertEquals([code, [...Deno.readDirSync(folder)].length], [1, 0], text);
    assert(/Cannot write \S+mine\w*\.ts: the file would be larger/.test(text), text);
  });
});
