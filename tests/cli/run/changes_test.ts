/** Sources that change while a command reads them: it says so, and outputs that were there stay as they were. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { cli, withFolder, writeNpy } from "../harness.ts";

const FRAMES = 64, PIXELS = 1024;

/** A UDF that overwrites a file when it sees the frame whose samples are 40, as another program might. */
function changing(path: string): string {
  return `export default {
    name: "mine",
    buffers: { most: { kind: "nav", dtype: "float32" } },
    processFrame({ data }, { most }) {
      if (data[0] === 40) Deno.writeFileSync(${JSON.stringify(path)}, Deno.readFileSync(${
    JSON.stringify(path)
  }).reverse());
      most[0] = Math.max(...data);
    },
  };
  `;
}

async function filesOf(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const { name, isFile } of Deno.readDirSync(folder)) {
    if (isFile && /^out/.test(name)) found[name] = await Deno.readTextFile(`${folder}/${name}`);
    assert(!/\.part$/.test(name), name);
  }
  return found;
}

Deno.test("run -o over a file that changes is an error, and older results stay", async () => {
  await withFolder(async (folder) => {
    const scan = `${folder}/scan.npy`;
    const samples = Uint8Array.from({ length: FRAMES * PIXELS }, (_, i) => i / PIXELS);
    await writeNpy(scan, "|u1", [FRAMES, 32, 32], samples);
    await Deno.writeTextFile(`${folder}/mine.ts`, changing(scan));
    for (const name of ["out.npy", "out.png", "out.run.json"]) {
      await Deno.writeTextFile(`${folder}/${name}`, "old");
    }
    const before = await filesOf(folder);
    const { code, err } = await cli([
      "run",
      `${folder}/mine.ts`,
      scan,
      "-o",
      `${folder}/out.npy`,
      "--workers",
      "1",
    ]);
    assertEquals(code, 1);
    assertMatch(
      err,
      /tilewise: \[changed\] Cannot read \S+scan\.npy: it changed after it was opened \(time of change was /,
    );
    assertEquals(await filesOf(folder), before);
  });
});
