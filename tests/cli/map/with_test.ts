/** `map --with`: filters over several files. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { open } from "../../../src/formats/open.ts";
import { readArray } from "../../../src/cli/inputs/sources.ts";
import { cli, withFolder, writeNpy } from "../harness.ts";

const FUNCTION = `export default function ({ arrays: { x, dark } }, out) {
  for (let y = 0; y < out.shape[0]; y++) {
    for (let c = 0; c < out.shape[1]; c++) {
      out.data[y * out.shape[1] + c] = x.data[y * x.stride[0] + c] - dark.data[y * dark.stride[0] + c];
    }
  }
}`;

const KERNEL = `import { Sample } from "tilewise";
export function plane(x: usize, dark: usize, stride: usize, out: usize, rows: i32, cols: i32): void {
  for (let y = 0; y < rows; y++) for (let c = 0; c < cols; c++, out += 4) {
    const at = y * stride + c * sizeof<Sample>();
    store<f32>(out, <f32>load<Sample>(x + at) - <f32>load<Sample>(dark + at));
  }
}`;

Deno.test("map takes other files by name, in expressions, functions and kernels, and replay finds them again", async () => {
  await withFolder(async (folder) => {
    const bytes = (k: number) => Uint8Array.from({ length: 48 }, (_, i) => (i * k) % 97);
    const [image, dark] = [`${folder}/image.npy`, `${folder}/dark.npy`];
    await writeNpy(image, "|u1", [6, 8], bytes(7));
    await writeNpy(dark, "|u1", [6, 8], bytes(5));
    await Deno.writeTextFile(`${folder}/less.js`, FUNCTION);
    await Deno.writeTextFile(`${folder}/less.as.ts`, KERNEL);
    const expected = Array.from({ length: 48 }, (_, i) => (i * 7) % 97 - (i * 5) % 97);
    const out = `${folder}/out.npy`;
    const words = [image, "--with", `dark=${dark}`, "-o", out, "--json", "--quiet"];
    for (const filter of ["expr:x - dark", `${folder}/less.js`, `${folder}/less.as.ts`]) {
      const { code, err } = await cli(["map", filter, ...words]);
      assertEquals([code, err], [0, ""], filter);
      assertEquals([...(await readArray(out)).data], expected, filter);
      const manifest = JSON.parse(await Deno.readTextFile(`${folder}/out.run.json`));
      assertEquals(manifest.inputs.map(({ name }: { name: string }) => name), [image, dark]);
      if (!filter.startsWith("expr")) continue;
      const again = await cli(["replay", `${folder}/out.run.json`, "--json"]);
      assertEquals([again.code, again.json()[0]!.same], [0, true], again.err);
    }
    const over = await cli(["map", "expr:x - dark", ...words.slice(0, 3), "-o", dark]);
    assertEquals([over.code, (await open(dark)).dtype], [1, "uint8"], over.err);
    const part = await cli(["map", "expr:x[0,1] - dark[1,0]", ...words, "--box", "2:4,3:7"]);
    assertEquals([part.code, part.err], [0, ""]);
    const at = (y: number, x: number, k: number) => ((Math.min(y, 5) * 8 + Math.min(x, 7)) * k) % 97;
    const cut = [2, 3].flatMap((y) => [3, 4, 5, 6].map((x) => at(y, x + 1, 7) - at(y + 1, x, 5)));
    assertEquals([...(await readArray(out)).data], cut);
    const table = await cli(["map", "expr:x - dark", "otsu", ...words.slice(0, 3), "--json"]);
    assertEquals(table.code, 0, table.err);
    const after = await cli(["map", "expr:x - dark", "threshold:value=0", ...words]);
    assertEquals([after.code, (await open(out)).dtype], [0, "bool"], after.err);
  });
});

Deno.test("what --with cannot do is refused before anything is opened", async () => {
  for (
    const [words, text] of [
      [["expr:x", "--with", "dark"], "--with takes NAME=FILE"],
      [["expr:x", "--with", "x=a.npy"], "x is the source"],
      [["expr:x-a", "--with", "a=a.npy", "--with", "a=b.npy"], "given twice"],
      [["median", "--with", "a=a.npy"], "the filter median takes one array, not a as well"],
      [["otsu", "--with", "a=a.npy"], "--with is for filters"],
    ] as const
  ) {
    const { code, err } = await cli(["map", words[0], "no.npy", ...words.slice(1), "-o", "out.npy"]);
    assertEquals(code, 2, err);
    assertStringIncludes(err, text);
  }
});
