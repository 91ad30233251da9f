import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { fromFileUrl } from "@std/path";
import { makeTiff } from "../formats/tiff/make.ts";
import { rightAnswer, serve } from "../io/range_server.ts";
import { cli, withFolder, writeNpy } from "./harness.ts";

Deno.test("info says format and why, shape, dtype and layout, as text and as JSON", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/a.npy`, ">i2", [3, 4, 5], new Uint8Array(120));
    const [info] = (await cli(["info", "--json", `${folder}/a.npy`])).json();
    assertEquals([info!.source, info!.array, info!.format], [`${folder}/a.npy`, "", "npy"]);
    assertEquals([info!.shape, info!.navShape, info!.sigShape], [[3, 4, 5], [3], [4, 5]]);
    assertEquals([info!.dtype, info!.byteOrder, info!.bytes, info!.frames, info!.order], [
      "int16",
      "big",
      120,
      3,
      "C",
    ]);
    assert((info!.why as string[]).length > 0);
    const { out, code } = await cli(["info", `${folder}/a.npy`]);
    assertEquals(code, 0);
    for (
      const words of [
        "format",
        "npy",
        "because",
        "3 scan of 4 × 5 frames",
        "int16, 120 B",
        "big endian, 40 B",
      ]
    ) {
      assert(out.includes(words), `${words} in ${out}`);
    }
  });
});

Deno.test("info of raw files: options make the shape, a mismatch is a warning", async () => {
  await withFolder(async (folder) => {
    await Deno.writeFile(`${folder}/a.raw`, new Uint8Array(4 * (3 + 8 + 1) + 2));
    const flags = ["--dtype", ">u2", "--sig", "2x2", "--nav", "5", "--header-bytes", "2"];
    const frames = ["--frame-header-bytes", "3", "--frame-footer-bytes", "1", "--sync-offset", "-1"];
    const words = ["info", `${folder}/a.raw`, ...flags, ...frames];
    const [info] = (await cli([...words, "--json"])).json();
    assertEquals([
      info!.byteOrder,
      info!.images,
      info!.frameHeaderBytes,
      info!.frameFooterBytes,
      info!.syncOffset,
    ], [
      "big",
      4,
      3,
      1,
      -1,
    ]);
    const { out } = await cli(words);
    assert(out.includes("after 3 bytes of header") && out.includes("before 1 bytes of footer"));
    assert(out.includes("sync offset  -1"));
  });
});

Deno.test("several sources: each gets its lines, one that fails does not stop the others", async () => {
  await withFolder(async (folder) => {
    await writeNpy(`${folder}/a.npy`, "|u1", [2, 2, 2], new Uint8Array(8));
    const { code, out, err } = await cli(["info", `${folder}/a.npy`, `${folder}/b.npy`, `${folder}/a.npy`]);
    assertEquals([code, out.split(`${folder}/a.npy`).length], [1, 3]);
    assert(err.startsWith("tilewise: [not-found]") && err.includes("b.npy"));
  });
});

Deno.test("info shows what was observed: antennas, times, channels, baselines, correlations, fields", async () => {
  const path = fromFileUrl(new URL("../data/observations/small.ms", import.meta.url));
  const { out } = await cli(["info", path]);
  for (
    const words of [
      /observation +ms, 6 rows/,
      /antennas +3: m000, m001, a station/,
      /baselines +3, 0\.2214 to 0\.6245 km, 1\.004 to 2\.833 kλ, antenna2 - antenna1/,
      /times +2, 2020-06-27T18:40:00.000Z to 2020-06-27T18:40:08.000Z, 8 s each/,
      /channels +4, 1.3 GHz to 1.36 GHz, 20 MHz wide/,
      /correlations +XX, XY, YX, YY/,
      /receptors +X at 0°, Y at 90°/,
      /field +calibrator, 04h46m28\.73s −28°38′52\.4″ J2000/,
      /other field +target, 04h51m03\.75s −29°47′37\.7″ J2000/,
      /flags +22\.9 %/,
      /TiledColumnStMan +UVW/,
      /TiledShapeStMan +.*MODEL_DATA \(complex64\)/,
      /warning +Took field 0, that of the first row; others are 1/,
      /size +\d+/,
    ]
  ) {
    assert(words.test(out), out);
  }
  const lines = out.trimEnd().split("\n"), warnings = lines.filter((line) => /^ +warning/.test(line));
  assert(lines.length <= 40, "more than a screen");
  assertEquals(new Set(warnings).size, warnings.length);
  const [first] = (await cli(["info", "--json", path])).json() as { observation: { antennas: string[] } }[];
  assertEquals(first!.observation.antennas.length, 3);
});

Deno.test("a stack of any number of pages is one series in info, and one line tells its pages", () =>
  withFolder(async (folder) => {
    for (const [pages, told] of [[4, '"ifd0" to "ifd3"; --array'], [140, '"ifd0" to "ifd98" and 41 more;']]) {
      const path = `${folder}/${pages}.tif`;
      await Deno.writeFile(
        path,
        makeTiff(Array.from({ length: Number(pages) }, () => ({ height: 3, width: 4 }))),
      );
      const { out } = await cli(["info", path]);
      assertMatch(out, /^\S+ \[series0\]\n/);
      assertStringIncludes(out, `images       ${told}`);
      assertEquals(out.split(path).length, 2);
      const shown = (await cli(["info", path, "--json"])).json();
      assertEquals([shown[0]!.array, shown[0]!.frames], ["series0", pages]);
    }
  }));

Deno.test("of many arrays the one that opens is told in full, which NeXus may name", async () => {
  const { out } = await cli([
    "info",
    fromFileUrl(new URL("../data/meaning/meant_nexus.nxs", import.meta.url)),
  ]);
  assertMatch(out, /^\S+ \[\/second\/small\/counts\]\n/); // nexusformat: nxload(…).get_default()
});

Deno.test("of many arrays the largest is told in full, and the others in a line each", () =>
  withFolder(async (folder) => {
    const path = `${folder}/many.tif`;
    const sizes = [[3, 5], [7, 4], [9, 9], [4, 11], [5, 2]];
    await Deno.writeFile(
      path,
      makeTiff(sizes.map(([height, width]) => ({ height: height!, width: width! }))),
    );
    const { out } = await cli(["info", path]);
    assertMatch(out, /^\S+ \[ifd2\]\n/);
    assertEquals([...out.matchAll(/^ {2}also +(.*)$/gm)].map(([, text]) => text), [
      "ifd0: 3 × 5 uint8",
      "ifd1: 7 × 4 uint8",
      "ifd3: 4 × 11 uint8",
      "ifd4: 5 × 2 uint8",
    ]);
    assertEquals((await cli(["info", path, "--json"])).json().length, 5);
    assertMatch((await cli(["info", path, "--array", "ifd1"])).out, /^\S+ \[ifd1\]\n/);
  }));

Deno.test("of many arrays info opens the source once, also to say which one opens", async () => {
  const bytes = makeTiff([1, 2, 3, 4, 5].map((n) => ({ height: n, width: n })));
  await using server = serve((question) => rightAnswer(bytes, question));
  const source = `${server.url}/many.tif`;
  assertEquals((await cli(["info", source, "--json"])).json().length, 5);
  const once = server.questions.length;
  assertMatch((await cli(["info", source])).out, /^\S+ \[ifd4\]\n/);
  assertEquals(server.questions.length, 2 * once);
});
