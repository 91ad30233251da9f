import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import h5wasm from "h5wasm";
import { TilewiseError } from "../../src/errors.ts";
import { FORMATS } from "../../src/formats/registry.ts";
import { TARGETS } from "../../src/sinks/registry.ts";
import { open, openAll } from "../../src/formats/open.ts";
import { encodeNpy } from "../npy_files.ts";
import { ascii, counting, failure, mibBytes } from "./helpers.ts";

const NPY = encodeNpy(counting(24), [2, 3, 4], "uint8");

Deno.test("paths, URLs, blobs, files, bytes and buffers give the same data set", async () => {
  const path = await Deno.makeTempFile({ suffix: ".npy" });
  try {
    await Deno.writeFile(path, NPY);
    const inputs = [
      path,
      new URL(`file://${path}`),
      new Blob([NPY]),
      new File([NPY], "a.npy"),
      NPY,
      NPY.buffer,
    ];
    for (const input of inputs) {
      const scan = await open(input);
      assertEquals([scan.shape, scan.dtype, scan.detection.format], [[2, 3, 4], "uint8", "npy"]);
    }
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("contents decide before the name; the near miss is told", async () => {
  const scan = await open(new File([NPY], "scan.mib"));
  assertEquals(scan.detection.format, "npy");
  assertEquals(scan.detection.why.filter((why) => why.startsWith("not mib")).length, 1);
  assertEquals((await open(new File([NPY], "scan.npy"))).detection.why.length, 1);
});

Deno.test("contents win over raw options, and a named format over both", async () => {
  const options = { dtype: "uint8", sig: [4] } as const;
  assertEquals((await open(NPY, { ...options, sig: [12] })).detection.format, "npy");
  const raw = await open(NPY, { ...options, format: "raw" });
  assertEquals([raw.detection.format, raw.images], ["raw", 38]);
  assertStringIncludes((await failure(open(NPY, { format: "tape" }), "invalid")).message, "npy");
  await failure(open(NPY, { format: "mib" }), "malformed");
});

Deno.test("what no format claims says what each said and how to read it", async () => {
  const error = await failure(open(counting(100)), "unknown-format");
  for (const { id } of FORMATS) assertStringIncludes(error.message, `${id}: `);
  for (const part of ["100 bytes", "00 01 02 03", "dtype", "sig"]) assertStringIncludes(error.message, part);
  assertEquals(Object.keys(error.details.reasons!), FORMATS.map(({ id }) => id));
  await failure(open(new Uint8Array()), "unknown-format");
  await failure(open(ascii("MQ2,000001")), "unknown-format");
});

Deno.test("arrays are asked for by name", async () => {
  assertEquals((await openAll(NPY)).length, 1);
  assertEquals((await open(NPY, { array: "" })).array, "");
  assertStringIncludes((await failure(open(NPY, { array: "dark" }), "not-found")).message, "without a name");
});

Deno.test("what cannot be opened is a typed error", async () => {
  await failure(open([]), "invalid");
  await failure(open("no/such/file.npy"), "not-found");
  await failure(open(new URL(".", import.meta.url)), "not-a-file");
  await failure(open([NPY, "no/such/file.npy"]), "not-found");
  await failure(open(NPY, { signal: AbortSignal.abort() }), "aborted");
});

Deno.test("a file without arrays of numbers is called by its name", async () => {
  const { FS } = await h5wasm.ready;
  new h5wasm.File("empty.h5", "w").close();
  const bytes = FS.readFile("empty.h5").slice();
  const file = new File([bytes], "nothing.h5");
  assertEquals(await openAll(file), []);
  const error = await failure(open(file), "unsupported");
  assertStringIncludes(error.message, "There is no array of numbers in nothing.h5");
  assertEquals(error.details.file, "nothing.h5");
});

Deno.test("an abort while a file is opened ends it", async () => {
  const bytes = await mibBytes(500, { sig: [1, 1] });
  const abort = new AbortController();
  const opening = open(new Blob([bytes]), { signal: abort.signal });
  queueMicrotask(() => abort.abort());
  await failure(opening, "aborted");
});

Deno.test("every format has its own id, says why it refuses, and claims nothing of nothing", async () => {
  assertEquals(new Set(FORMATS.map(({ id }) => id)).size, FORMATS.length);
  for (const { detect, title } of FORMATS) {
    const probe = {
      name: "x",
      size: 0,
      head: new Uint8Array(),
      bytesAt: () => Promise.resolve(new Uint8Array(0)),
      siblings: () => Promise.resolve(["x"]),
    };
    const { claim, why } = await detect(probe, {});
    assert(claim !== "yes" && why.length > 5, title);
  }
});

Deno.test("the page on formats has every format, the kinds that are written, and their endings", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/formats.md", import.meta.url));
  for (const { id, extensions } of FORMATS) {
    assertStringIncludes(page, `| \`${id}\``);
    assert(extensions.some((extension) => page.includes(`.${extension}`)), id);
  }
  const lines = page.split("\n").map((line) => line.replace(/ +/g, " "));
  for (const { endings, holds, frames, results, arrays } of TARGETS) {
    const verbs = [
      ...frames ?? results ? ["convert"] : [],
      ...results ? ["map"] : [],
      ...arrays ? ["run", "save"] : [],
    ];
    const names = endings.map((ending) => `\`${ending}\``).join(", ");
    const row = `| ${names} | ${holds} | ${verbs.map((verb) => `\`${verb}\``).join(", ")} |`;
    assert(lines.includes(row), `docs/formats.md has no row ${row}`);
  }
});

Deno.test("an unknown option of open is refused with the nearest known name", async () => {
  const options: object = { dtype: "uint8", sig: [1, 2], syncoffset: 5 };
  const error = await assertRejects(
    () => open(new Uint8Array(4), options),
    TilewiseError,
    'did you mean "syncOffset"?',
  );
  assertEquals(error.code, "invalid");
});

Deno.test("a resolution level that there is not is refused, and not taken for the full one", async () => {
  const error = await failure(open(NPY, { level: 1 }), "invalid");
  assertStringIncludes(error.message, "has one level of resolution, 0");
  assertEquals([error.details.option, (await open(NPY, { level: 0 })).shape], ["level", [2, 3, 4]]);
});

Deno.test("options of raw frames that a format does not look at are told in a warning", async () => {
  const { warnings } = await open(NPY, { headerBytes: 128, dtype: "uint8" });
  assertEquals(warnings.length, 1);
  for (const part of ["dtype, headerBytes were not looked at", 'format: "raw"']) {
    assertStringIncludes(warnings[0]!, part);
  }
  assertEquals((await open(NPY)).warnings, []);
  const raw = { format: "raw", headerBytes: 128, dtype: "uint8", sig: [24] } as const;
  assertEquals((await open(NPY, raw)).warnings, []);
});
