/** The page people read first: its commands run as they stand there, in a shell, and its table is complete. */

import { assert, assertEquals } from "@std/assert";
import { ANALYSES } from "../src/cli/analyses/index.ts";
import { cli, withFolder, writeNpy } from "./cli/harness.ts";

const ROOT = decodeURIComponent(new URL("../", import.meta.url).pathname);

const text = Deno.readTextFileSync(`${ROOT}README.md`);

/** Commands of the `sh` blocks, those that set up or test the project left out. */
function commands(): string[] {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block]) => block!);
  return blocks.join("").split("\n").filter((line) => line.startsWith("deno task tilewise "));
}

/** What the commands read: a MIB series, a raw file of the size that they say, a gain map. */
async function writeInputs(folder: string): Promise<void> {
  await cli(["demo", "--scan", "12x16", "--side", "64", "--quiet", "--workers", "0", "-o", `${folder}/demo`]);
  for (const { name } of Deno.readDirSync(`${folder}/demo`)) {
    if (/^scan/.test(name)) await Deno.rename(`${folder}/demo/${name}`, `${folder}/${name}`);
  }
  await Deno.rename(`${folder}/scan_000.mib`, `${folder}/scan.mib`);
  await Deno.writeFile(`${folder}/scan.raw`, new Uint8Array());
  await Deno.truncate(`${folder}/scan.raw`, 64 * 64 * 128 * 128 * 2);
  await writeNpy(`${folder}/gain.npy`, "|u1", [64, 64], new Uint8Array(64 * 64).fill(2));
}

Deno.test("every command of the README runs in a shell, one after another", async () => {
  await withFolder(async (folder) => {
    await writeInputs(folder);
    const lines = commands();
    assert(lines.length >= 12);
    for (const line of lines) {
      const command = line.replace("deno task tilewise", `deno run -A --no-check "${ROOT}src/cli/main.ts"`);
      const { success, stderr } = await new Deno.Command("sh", { args: ["-c", command], cwd: folder })
        .output();
      assert(success, `${line}\n${new TextDecoder().decode(stderr)}`);
    }
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name);
    for (
      const name of [
        "frame.npy",
        "frame.png",
        "com-field.png",
        "com.run.json",
        "bright.npz",
        "root.npy",
        "peaks.ts",
      ]
    ) {
      assert(names.includes(name), name);
    }
  });
});

Deno.test("the table of analyses in the README has every word, and no others", () => {
  const rows = [...text.matchAll(/^\| (`[^|]*`) +\| `/gm)].map(([, words]) => words!);
  const words = rows.flatMap((row) => [...row.matchAll(/`([a-z]+)`/g)].map(([, word]) => word!));
  assertEquals(words.toSorted(), ANALYSES.map(({ name }) => name).toSorted());
});
