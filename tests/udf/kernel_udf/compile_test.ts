/** What has been compiled is remembered by its content, and a bad memory is no harm. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import config from "../../../deno.json" with { type: "json" };
import { TilewiseError } from "../../../src/errors.ts";
import { setCacheFolder } from "../../../src/io/write/cache.ts";
import { compileKernel, forgetKernels } from "../../../src/user_kernels/compile.ts";
import { COMPILER } from "../../../src/user_kernels/prelude.ts";
import { SUM } from "./kernels.ts";

async function withCache(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  setCacheFolder(folder);
  try {
    await body(folder);
  } finally {
    setCacheFolder("");
    await Deno.remove(folder, { recursive: true });
  }
}

const source = { name: "sum", file: "kernel.ts", text: SUM, sample: "uint16" } as const;

Deno.test("the compiler is the one that builds the kernels of Tilewise", () => {
  assertEquals(config.imports["assemblyscript/asc"], COMPILER);
});

Deno.test("a kernel is compiled once a process, and once a user", async () => {
  await withCache(async (folder) => {
    const first = await compileKernel(source);
    assertEquals(await compileKernel({ ...source }), first);
    const [entry, ...more] = [...Deno.readDirSync(folder)].map(({ name }) => name);
    assertEquals([entry, more], [`${first.key}.json`, []]);
    forgetKernels();
    const before = Deno.statSync(`${folder}/${entry}`).mtime;
    assertEquals(await compileKernel(source), first);
    assertEquals(Deno.statSync(`${folder}/${entry}`).mtime, before);
    assert((await compileKernel({ ...source, sample: "float32" })).key !== first.key);
    assert((await compileKernel(source, "plain")).key !== first.key);
  });
});

Deno.test("static data are moved wherever they are needed; more than 4 MiB of them are refused at once", async () => {
  await withCache(async () => {
    forgetKernels();
    const text = (table: string) =>
      `${table}\nexport function at(i: i32): u8 { return load<u8>(table + i); }\n`;
    const compiled = (table: string) => compileKernel({ name: "table", file: "table.ts", text: text(table) });
    const { statics, moves } = await compiled("const table = memory.data(40000);");
    assert(statics >= 40000 && statics < 41000 && moves.length > 0, `${statics}, ${moves.length} addresses`);
    const error = await assertRejects(() => compiled("const table = memory.data(400000000);"), TilewiseError);
    assertEquals(
      [error.code, /static data .* more than 4 MiB/.test(error.message)],
      ["udf", true],
      error.message,
    );
  });
});

Deno.test("an entry that is torn or wrong is compiled again", async () => {
  await withCache(async (folder) => {
    forgetKernels();
    const first = await compileKernel(source);
    const path = `${folder}/${first.key}.json`;
    const text = await Deno.readTextFile(path);
    for (const bad of ["", text.slice(0, 100), "{}", text.replace(/"wasm":"..../, '"wasm":"AAAA')]) {
      await Deno.writeTextFile(path, bad);
      forgetKernels();
      assertEquals(await compileKernel(source), first);
      assertEquals(await Deno.readTextFile(path), text);
    }
  });
});
