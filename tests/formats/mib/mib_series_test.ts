import { assertEquals, assertStringIncludes } from "@std/assert";
import { openStored as open } from "../../../src/formats/open.ts";
import { type MibFrame, writeMib } from "./mib_files.ts";
import { ascii, failure, mibBytes } from "../helpers.ts";
import { numbers, readAll } from "../read_all.ts";

const sig = [2, 3] as const;

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function* frames(count: number): Generator<MibFrame> {
  for (let f = 0; f < count; f++) yield new Uint16Array(6).fill(f);
}

/** The first sample of every frame. */
async function firsts(scan: Awaited<ReturnType<typeof open>>): Promise<unknown[]> {
  return numbers(await readAll(scan), scan.dtype).filter((_, i) => i % 6 === 0);
}

Deno.test("a series is found from any of its files and from its .hdr, in the order of its frames", async () => {
  await inFolder(async (folder) => {
    const written = await writeMib(`${folder}/scan.mib`, frames(12), { sig, nav: [3, 4], framesPerFile: 5 });
    assertEquals(written.files.map((path) => path.slice(folder.length + 1)), [
      "scan_000.mib",
      "scan_001.mib",
      "scan_002.mib",
    ]);
    assertEquals([written.frames, written.bytes], [12, 12 * (384 + 12)]);
    for (const path of [...written.files, written.hdr, written.files.toReversed()]) {
      const scan = await open(path, typeof path === "string" ? {} : { nav: [3, 4] });
      assertEquals([scan.navShape, scan.images, scan.warnings], [[3, 4], 12, []]);
      assertEquals(await firsts(scan), Array.from({ length: 12 }, (_, f) => f));
    }
    const alone = await open(written.files[1]!, { noSeries: true, nav: [5] });
    assertEquals(await firsts(alone), [5, 6, 7, 8, 9]);
  });
});

Deno.test("one file with its .hdr", async () => {
  await inFolder(async (folder) => {
    const written = await writeMib(`${folder}/scan.mib`, frames(6), { sig, nav: [2, 3] });
    assertEquals(written.files, [`${folder}/scan.mib`]);
    const scan = await open(written.files[0]!);
    assertEquals(scan.navShape, [2, 3]);
    assertStringIncludes(scan.detection.why.join(), "ScanX 3, ScanY 2");
    assertEquals((await open(written.hdr)).navShape, [2, 3]);
    const files = await Promise.all([written.files[0]!, written.hdr].map(async (path) => {
      return new File([await Deno.readFile(path)], path.split("/").at(-1)!);
    }));
    assertEquals((await open(files)).navShape, [2, 3]);
    assertEquals((await open(files.toReversed())).navShape, [2, 3]);
  });
});

Deno.test("a series without one of its files, or with a short one, is refused", async () => {
  await inFolder(async (folder) => {
    const { files } = await writeMib(`${folder}/scan.mib`, frames(12), { sig, nav: [12], framesPerFile: 4 });
    await Deno.truncate(files[1]!, 3 * 396 + 7);
    await failure(open(files[0]!, { allowTruncated: true }), "truncated");
    await Deno.remove(files[1]!);
    const error = await failure(open(files[0]!), "truncated");
    assertEquals([error.details.expected, error.details.found], [5, 9]);
    assertEquals((await open(files[0]!, { noSeries: true })).images, 4);
    await Deno.truncate(files[2]!, 3 * 396 + 7);
    assertEquals((await open(files[2]!, { noSeries: true, allowTruncated: true, nav: [3] })).images, 3);
  });
});

Deno.test("files that are numbered alike but begin anew, or have other frames, stay alone", async () => {
  await inFolder(async (folder) => {
    for (const n of [1, 2, 11]) {
      await Deno.writeFile(`${folder}/scan${n}.mib`, await mibBytes(2, { sig }));
    }
    const anew = await open(`${folder}/scan11.mib`);
    assertEquals([anew.images, anew.layout.files.length], [2, 1]);
    assertStringIncludes(anew.detection.why.join(), "begin anew");
    await Deno.writeFile(`${folder}/scan2.mib`, await mibBytes(2, { sig: [3, 2] }, undefined, 3));
    await Deno.writeFile(`${folder}/scan11.mib`, ascii("nothing"));
    const other = await open(`${folder}/scan1.mib`);
    assertEquals(other.images, 2);
    assertStringIncludes(other.detection.why.join(), "2 files with names like a series have other frames");
    await Deno.writeFile(`${folder}/scan2.mib`, await mibBytes(2, { sig }, undefined, 3));
    assertEquals((await open(`${folder}/scan1.mib`)).images, 4);
    await failure(open([`${folder}/scan1.mib`, `${folder}/scan11.mib`]), "malformed");
  });
});

Deno.test("1.mib and 11.mib are a series", async () => {
  await inFolder(async (folder) => {
    await Deno.writeFile(`${folder}/1.mib`, await mibBytes(2, { sig }));
    await Deno.writeFile(`${folder}/11.mib`, await mibBytes(2, { sig }, undefined, 3));
    for (const name of ["1.mib", "11.mib"]) {
      assertEquals(await firsts(await open(`${folder}/${name}`)), [0, 100, 200, 300]);
    }
  });
});

Deno.test("a .hdr without its .mib says what it lacks", async () => {
  await inFolder(async (folder) => {
    await Deno.writeTextFile(`${folder}/scan.hdr`, "HDR,\t\r\nEnd\t");
    assertStringIncludes((await failure(open(`${folder}/scan.hdr`), "not-found")).message, "scan.mib");
    await failure(open(ascii("HDR,\t\r\nEnd\t")), "not-found");
  });
});

Deno.test("more files than may be open at the same time", async () => {
  await inFolder(async (folder) => {
    const { files } = await writeMib(`${folder}/s.mib`, frames(1500), {
      sig,
      nav: [30, 50],
      framesPerFile: 1,
    });
    assertEquals((await open(files[700]!)).images, 1500);
    assertEquals((await open(files)).images, 1500);
  });
});
