/** The short examples: each fits on a page, runs, and finds what it must find. */

import "../fences/mod.ts";
import { assert, assertEquals } from "@std/assert";

const FOLDER = new URL("../../examples/", import.meta.url);

/** Most lines of code of a short example. */
const MOST_LINES = 12;

/** What each must print. */
const PRINTS: Readonly<Record<string, RegExp>> = {
  "virtual_detector.ts":
    /^data +memory: \(16, 16 \| 32, 32\)[\s\S]*\nFloat64Array\(2\) \[ 31575, 31580 \] Float64Array\(2\) \[ 64767, 65469 \]\n$/,
  "own_udf.ts": /^Float32Array\(2\) \[ 7, 4 \]\n$/,
  "filter.ts": /^\[ 512, 512 \] Float32Array\(3\) \[ 2\.6666667461395264, 3, 4 \]\n$/,
  "cube.ts":
    /^\[ 2, 1, 2, 1 \] Float64Array\(8\) \[\s+1,\s+0,\s+1,\s+0,\s+1,\s+0,\s+-0\.5641519079\d+,\s+0\.825671014\d+\s+\]\n$/,
  "channel_kernel.ts": /^\[ 3, 0, 1 \]\n$/,
};

/** Lines that are neither empty nor comments. */
function codeOf(name: string): string[] {
  const text = Deno.readTextFileSync(new URL(name, FOLDER)).replace(/\/\*[\s\S]*?\*\//g, "");
  return text.split("\n").map((line) => line.replace(/\s*\/\/.*$/, "")).filter((line) => line.trim() !== "");
}

/** Runs an example in `folder`; what it prints. Its types are checked with those of all other modules. */
async function printed(name: string, folder: string): Promise<string> {
  const { success, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--quiet", new URL(name, FOLDER).href],
    cwd: folder,
    env: { NO_COLOR: "1" },
  }).output();
  assert(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

for (const [name, expected] of Object.entries(PRINTS)) {
  Deno.test(`examples/${name} has at most ${MOST_LINES} lines of code, one context, and no cast`, () => {
    const lines = codeOf(name);
    assert(lines.length <= MOST_LINES, `${lines.length} lines:\n${lines.join("\n")}`);
    const code = lines.join("\n");
    assertEquals([...code.matchAll(/\bcreateContext\(/g)].length, 1);
    assertEquals(code.match(/\bas (?!\w+,|\w+ })|\bNumber\(|\w!(?=[.\[;,)\s])/), null);
  });

  Deno.test(`examples/${name} finds what it must find`, async () => {
    const folder = await Deno.makeTempDir();
    try {
      const positions = BigInt64Array.of(3n, 0n, 1n, 2n);
      await Deno.writeFile(`${folder}/positions.bin`, new Uint8Array(positions.buffer));
      const text = await printed(name, folder);
      assert(expected.test(text), text);
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });
}

Deno.test("the first example of the README is examples/virtual_detector.ts", () => {
  const [, shown] = /^```ts\n([\s\S]*?)^```/m.exec(Deno.readTextFileSync(new URL("../README.md", FOLDER)))!;
  const text = Deno.readTextFileSync(new URL("virtual_detector.ts", FOLDER));
  assertEquals(shown, text.slice(text.indexOf("import ")));
});
