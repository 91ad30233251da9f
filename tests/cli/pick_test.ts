import { assert, assertEquals, assertMatch } from "@std/assert";
import { cli, withFolder, writeNpy } from "./harness.ts";

/** 2 × 3 scan of 2 × 2 frames with samples 0…23. */
async function withScan(body: (file: string, folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    const bytes = new Uint8Array(Uint16Array.from({ length: 24 }, (_, i) => i).buffer);
    await writeNpy(`${folder}/scan.npy`, "<u2", [2, 3, 2, 2], bytes);
    await body(`${folder}/scan.npy`, folder);
  });
}

Deno.test("every frame, by its position and by the same position from the end", async () => {
  await withScan(async (file) => {
    for (let n = 0; n < 6; n++) {
      const [row, column] = [Math.floor(n / 3), n % 3];
      for (const at of [`${row},${column}`, `${row - 2},${column - 3}`]) {
        const { code, json } = await cli(["pick", file, "--json", "--at", at]);
        assertEquals(code, 0);
        const [found] = json();
        assertEquals(found!.values, [[4 * n, 4 * n + 1], [4 * n + 2, 4 * n + 3]]);
        assertEquals([found!.shape, found!.dtype], [[2, 2], "uint16"]);
        assertEquals(found!.box, { origin: [row, column, 0, 0], shape: [1, 1, 2, 2] });
      }
    }
  });
});

Deno.test("every box of a small scan", async () => {
  await withScan(async (file) => {
    const ranges = (n: number) =>
      Array.from({ length: n }, (_, o) => Array.from({ length: n - o + 1 }, (_, size) => [o, size] as const))
        .flat();
    for (const [i, ni] of ranges(2)) {
      for (const [j, nj] of ranges(3)) {
        for (const [y, ny] of ranges(2)) {
          const box = `${i}:${i + ni},${j}+${nj},${y < 2 ? y - 2 : y}:${y + ny},-1`;
          const { json, err } = await cli(["pick", file, "--json", "--box", box]);
          const from = (length: number, o: number) => Array.from({ length }, (_, k) => o + k);
          const expected = from(ni, i).map((a) =>
            from(nj, j).map((b) => from(ny, y).map((c) => [12 * a + 4 * b + 2 * c + 1]))
          );
          assertEquals(json()[0]!.values, expected, box + err);
        }
      }
    }
  });
});

Deno.test("-o writes the array and its picture, or the array to stdout", async () => {
  await withScan(async (file, folder) => {
    const { code, out } = await cli(["pick", file, "--at", "1,0", "-o", `${folder}/frame.npy`]);
    assertEquals([code, out], [
      0,
      `${folder}/frame.npy\n${folder}/frame.png\n  manifest  ${folder}/frame.run.json\n`,
    ]);
    const { bytes } = await cli(["pick", file, "--at", "1,0", "-o", "-"]);
    assertEquals(bytes, await Deno.readFile(`${folder}/frame.npy`));
    const again = await cli(["stats", "--json", `${folder}/frame.npy`]);
    assertEquals([again.json()[0]!.shape, again.json()[0]!.sum], [[2, 2], 12 + 13 + 14 + 15]);
    const csv = await cli(["pick", file, "--at", "1,0", "-o", `${folder}/frame.csv`, "--json"]);
    assertEquals(csv.json()[0]!.files, [`${folder}/frame.csv`]);
    assertEquals(await Deno.readTextFile(`${folder}/frame.csv`), "12,13\n14,15\n");
  });
});

Deno.test("blank frames are zero, or NaN in floats, and said to be blank", async () => {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a.raw`, Uint8Array.of(1, 2, 3, 4));
    const flags = ["--dtype", "uint8", "--nav", "2x2", "--sig", "1x2", "--sync-offset", "-1"];
    const { json, err, code } = await cli([
      "pick",
      `${folder}/a.raw`,
      "--box",
      "0:2,0:2,0:1,0:2",
      "--json",
      ...flags,
    ]);
    assertEquals([code, json()[0]!.values], [0, [[[[0, 0]], [[1, 2]]], [[[3, 4]], [[0, 0]]]]]);
    assert(err.includes("some frames are blank"));
    await Deno.writeFile(`${folder}/b.raw`, new Uint8Array(Float32Array.of(1, 2).buffer));
    const floats = ["--dtype", "float32", "--nav", "2", "--sig", "1x1", "--sync-offset", "-1"];
    const found = await cli(["pick", `${folder}/b.raw`, "--box", ":,0,0", "--json", ...floats]);
    assertEquals(found.json()[0]!.values, [[["NaN"]], [[1]]]);
    const mapped = await cli([
      "map",
      "threshold:value=1",
      `${folder}/b.raw`,
      "-o",
      `${folder}/b.npy`,
      ...floats,
    ]);
    assert(mapped.err.includes("blank frames: 1"), mapped.err);
  });
});

Deno.test("a picture in the terminal, with and without colour", async () => {
  await withScan(async (file) => {
    const colour = await cli(["pick", file, "--at", "0,0"], { terminal: true, colour: true });
    assert(colour.out.startsWith("2 × 2 uint16\n") && colour.out.includes("\x1b[38;2;"));
    const plain = await cli(["pick", file, "--at", "0,0"]);
    assert(!plain.out.includes("\x1b"));
    assertEquals((await cli(["pick", file, "--at", "0,0", "--quiet"])).out, "2 × 2 uint16\n0,1,2,3\n");
  });
});

Deno.test("one of --at and --box is needed, and understood", async () => {
  await withScan(async (file) => {
    for (const flags of [[], ["--at", "0,0", "--box", "0:1"], ["--at", "x"], ["--box", "0-1"]]) {
      assertEquals((await cli(["pick", file, ...flags])).code, 2);
    }
  });
});

Deno.test("more values than can be printed are refused before they are read; files take them", async () => {
  await withFolder(async (folder) => {
    const scan = `${folder}/scan.raw`;
    await Deno.writeFile(scan, new Uint8Array(5_000_000));
    const flags = ["--dtype", "uint8", "--nav", "50", "--sig", "100x1000"];
    const words = ["pick", scan, "--box", ":,:,:", ...flags];
    const refused = await cli([...words, "--json"]);
    assertEquals(refused.code, 1);
    const [{ error }] = refused.json() as [{ error: { code: string; message: string } }];
    assertEquals(error.code, "over-budget");
    assertMatch(
      error.message,
      /^Cannot print 50 × 100 × 1000 values as JSON: 5000000 are more than 4194304; save them/,
    );
    const saved = await cli([...words, "--json", "-o", `${folder}/all.csv`]);
    assertEquals(saved.code, 0, saved.err);
    assertEquals((await Deno.readTextFile(`${folder}/all.csv`)).length, 15 + expectedLength());
  });
});

/** Characters of lines `i,j,k,0` for all samples. */
function expectedLength(): number {
  const digits = (n: number) => Array.from({ length: n }, (_, i) => String(i).length).reduce((a, b) => a + b);
  return digits(50) * 100_000 + digits(100) * 50_000 + digits(1000) * 5000 + 5_000_000 * 5;
}
