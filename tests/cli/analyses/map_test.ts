import { assert, assertEquals } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { cli, withFolder, writeNpy } from "../harness.ts";

Deno.test("run map:PATH writes what a function finds as JSON", async () => {
  await withFolder(async (folder) => {
    const bytes = new Uint8Array(Uint16Array.from({ length: 24 }, (_, i) => i).buffer);
    await writeNpy(`${folder}/scan.npy`, "<u2", [2, 3, 2, 2], bytes);
    const functions = fromFileUrl(import.meta.resolve("../../udf/builtin/map_functions.ts"));
    const word = `map:${functions}#peaks:least=22`;
    for (const out of ["out.json", "out.npy"]) {
      const { code, err } = await cli(["run", word, `${folder}/scan.npy`, "-o", `${folder}/${out}`]);
      assertEquals(code, 0, err);
      const found = JSON.parse(await Deno.readTextFile(`${folder}/out.json`));
      assertEquals(found, { shape: [2, 3], data: [[], [], [], [], [], [{ y: 1, x: 0 }, { y: 1, x: 1 }]] });
      await Deno.remove(`${folder}/out.json`);
    }
    await cli(["run", word, `${folder}/scan.npy`, "-o", `${folder}/out.json`]);
    const again = await cli(["replay", `${folder}/out.run.json`, "--json", "--allow-modules"]);
    assertEquals([again.code, again.json()[0]!.same], [0, true], again.err);
    const { code, json } = await cli(["run", word, `${folder}/scan.npy`, "--json"]);
    assertEquals([code, json()[0]!.dtype, json()[0]!.shape], [0, "object", [2, 3]]);
  });
});

Deno.test("run map:PATH calls a function with every frame", async () => {
  await withFolder(async (folder) => {
    const bytes = new Uint8Array(Uint16Array.from({ length: 24 }, (_, i) => i).buffer);
    await writeNpy(`${folder}/scan.npy`, "<u2", [2, 3, 2, 2], bytes);
    const functions = fromFileUrl(import.meta.resolve("../../udf/builtin/map_functions.ts"));
    const words = [`map:${functions}`, `map:${functions}#about:add=3`, `${folder}/scan.npy`];
    const { code, err } = await cli(["run", ...words, "-o", `${folder}/out/`]);
    assertEquals(code, 0, err);
    const value = async (name: string, box: string) =>
      (await cli(["pick", `${folder}/out/${name}.npy`, "--box", box, "--json"])).json()[0]!.values;
    assertEquals(await value("map_functions", "0:2,0:3"), [[6, 22, 38], [54, 70, 86]]);
    assertEquals(await value("about", "1:2,2:3,0:7"), [[[20, 1, 2, 5, 2, 2, 3]]]);
    const bad = await cli(["run", `map:${functions}#fussy:at=4`, `${folder}/scan.npy`]);
    assertEquals(bad.code, 1);
    assert(bad.err.includes('Function "fussy" failed at scan position (1, 1): no good'), bad.err);
  });
});
