import { assertEquals, assertStringIncludes } from "@std/assert";
import { openStored as open } from "../../src/formats/open.ts";
import { parseNpyHeader } from "../../src/formats/npy/reader.ts";
import { npyHeader } from "../../src/sinks/npy/npy_header.ts";
import { encodeNpy } from "../npy_files.ts";
import { dtypeInfo, DTYPES, zeros } from "../../src/space/dtype.ts";
import { ascii, counting, failure, join } from "./helpers.ts";
import { readAll } from "./read_all.ts";

/** A file of any version with any header text. */
function file(text: string, data: Uint8Array, version = 1): Uint8Array<ArrayBuffer> {
  const length = new Uint8Array(version === 1 ? 2 : 4);
  const bytes = ascii(text);
  length.set(
    version === 1 ? [bytes.length & 255, bytes.length >> 8] : [
      bytes.length & 255,
      bytes.length >> 8 & 255,
      bytes.length >> 16 & 255,
      0,
    ],
  );
  return join(Uint8Array.of(0x93), ascii("NUMPY"), Uint8Array.of(version, 0), length, bytes, data);
}

function header(shape: string, descr = "'|u1'", fortran = "False"): string {
  return `{'descr': ${descr}, 'fortran_order': ${fortran}, 'shape': ${shape}, }\n`;
}

Deno.test("what is written is read, for every dtype", async () => {
  for (const dtype of DTYPES) {
    const data = zeros(dtype, 12);
    const bytes = new Uint8Array(data.buffer);
    bytes.set(counting(bytes.length).map((n) => dtype === "bool" ? n & 1 : n));
    const scan = await open(encodeNpy(data, [2, 3, 2], dtype));
    assertEquals([scan.navShape, scan.sigShape, scan.dtype, scan.byteOrder], [[2], [3, 2], dtype, "little"]);
    assertEquals(await readAll(scan), bytes);
  }
});

Deno.test("a big-endian mark counts where it means something", async () => {
  for (const dtype of DTYPES) {
    const { kind, itemSize, unitSize } = dtypeInfo(dtype);
    const scan = await open(file(header("(2, 1)", `'>${kind}${itemSize}'`), counting(2 * itemSize)));
    assertEquals([scan.dtype, scan.byteOrder], [dtype, unitSize > 1 ? "big" : "little"]);
  }
});

Deno.test("headers are written as NumPy writes them", () => {
  const text = (shape: number[]) =>
    new TextDecoder().decode(npyHeader("float32", shape).subarray(10)).trimEnd();
  assertEquals(text([5, 96]), "{'descr': '<f4', 'fortran_order': False, 'shape': (5, 96), }");
  assertEquals(text([5]), "{'descr': '<f4', 'fortran_order': False, 'shape': (5,), }");
  assertEquals(text([]), "{'descr': '<f4', 'fortran_order': False, 'shape': (), }");
  for (const shape of [[], [7], [1e9, 1e6], Array(32).fill(12)]) {
    if (shape.length < 32) assertEquals(npyHeader("uint8", shape).length % 64, 0);
  }
});

Deno.test("the last dimensions are the frame, two unless told otherwise", async () => {
  const split = async (shape: string, sigDims?: number) => {
    const scan = await open(file(header(shape), counting(24)), sigDims === undefined ? {} : { sigDims });
    return [scan.navShape, scan.sigShape];
  };
  assertEquals(await split("(2, 3, 4)"), [[2], [3, 4]]);
  assertEquals(await split("(6, 4)"), [[], [6, 4]]);
  assertEquals(await split("(24,)"), [[], [24]]);
  assertEquals(await split("(2, 3, 4)", 1), [[2, 3], [4]]);
  assertEquals(await split("(2, 3, 4)", 3), [[], [2, 3, 4]]);
  assertEquals(await split("(2, 3, 4)", 0), [[2, 3, 4], []]);
  await failure(open(file(header("(24,)"), counting(24)), { sigDims: 2 }), "invalid");
  const scalar = await open(file(header("()"), counting(1)));
  assertEquals([scalar.shape, scalar.images], [[], 1]);
});

Deno.test("empty axes are readable", async () => {
  for (const shape of ["(0, 4, 5)", "(3, 0, 5)", "(0,)"]) {
    const scan = await open(file(header(shape), new Uint8Array()));
    assertEquals((await readAll(scan)).length, 0);
    assertEquals(scan.byteLength, 0);
  }
});

Deno.test("Fortran order: every shape up to 3 × 3 × 3 in 1 to 4 dimensions", async () => {
  for (let dims = 1; dims <= 4; dims++) {
    for (let code = 0; code < 3 ** dims; code++) {
      const shape = Array.from({ length: dims }, (_, d) => 1 + Math.floor(code / 3 ** d) % 3);
      const size = shape.reduce((a, b) => a * b, 1);
      const stored = counting(size);
      const source = file(header(`(${shape.join()},)`, "'|u1'", "True"), stored);
      const expected = stored.map((_, c) => {
        let [rest, at] = [c, 0];
        for (let d = dims - 1; d >= 0; d--) {
          at += rest % shape[d]! * shape.slice(0, d).reduce((a, b) => a * b, 1);
          rest = Math.floor(rest / shape[d]!);
        }
        return stored[at]!;
      });
      for (let sigDims = 0; sigDims <= dims; sigDims++) { // also frames of single values
        assertEquals(await readAll(await open(source, { sigDims })), expected, `${shape.join()} ${sigDims}`);
      }
    }
  }
  const scan = file(header("(2, 3, 4)", "'|u1'", "True"), counting(24));
  await failure(open(scan, { sig: [12] }), "unsupported");
  assertEquals((await open(scan, { nav: [2, 1], sig: [3, 4] })).navShape, [2, 1]);
});

Deno.test("versions 2 and 3, Python 2 sizes, double quotes, long headers", async () => {
  const data = counting(6);
  for (const version of [2, 3]) {
    assertEquals((await open(file(header("(1, 2, 3)"), data, version))).shape, [1, 2, 3]);
    const long = header("(1, 2, 3)").padEnd(9000);
    assertEquals((await open(file(long, data, version))).shape, [1, 2, 3]);
  }
  assertEquals((await open(file(header("(1L, 2L, 3L)"), data))).shape, [1, 2, 3]);
  const double = '{"shape":(1,2,3),"fortran_order":False,"descr":"|u1"}';
  assertEquals((await open(file(double, data))).shape, [1, 2, 3]);
});

Deno.test("what is not numeric is not supported", async () => {
  const names = ["'|S3'", "'<U4'", "'|O'", "'<m8[ns]'", "'<M8[D]'", "'|V8'", "'<f16'", "'<i3'", "'<c4'"];
  for (const descr of [...names, "[('a', '<i4'), ('b', '<f8')]", "'i'", "7"]) {
    await failure(open(file(header("(1,)", descr), counting(99))), "unsupported");
  }
  await failure(open(file(header("(1,)"), counting(1), 4)), "unsupported");
  const hint = async (descr: string) =>
    (await failure(open(file(header("(1,)", descr), counting(99))), "unsupported")).message;
  assertStringIncludes(await hint("[('a', '<i4'), ('b', '<f8')]"), 'np.save("a.npy", a["a"])');
  assertStringIncludes(await hint("'<M8[ns]'"), 'a.astype("int64")');
});

Deno.test("headers that make no sense are malformed", async () => {
  const texts = [
    "",
    "{}",
    "[1]",
    header("(1,)").replace("descr", "desc"),
    header("(1,)").replace("}", ", 'more': 1}"),
    header("(1,)").replace("'fortran_order': False", "'descr': '|u1'"),
    header("(1,)", "'|u1'", "1"),
    header("(-1,)"),
    header("(1)"),
    header("1"),
    header("(1,,2)"),
    header("(1e3,)"),
    header("(99999999999999999999,)"),
    header(`(${"1,".repeat(65)})`),
    header("(__import__('os').system('true'),)"),
  ];
  for (const text of texts) await failure(open(file(text, counting(1))), "malformed");
  const claimed = file(header("(1,)"), counting(1), 2);
  claimed.set([255, 255, 255, 255], 8);
  await failure(open(claimed), "malformed");
  await failure(open(file(header("(4294967296, 4294967296)"), counting(1))), "overflow");
  await failure(open(counting(9), { format: "npy" }), "malformed");
});

Deno.test("short files are truncated, long ones have a warning", async () => {
  const bytes = file(header("(3, 2, 2)"), counting(13));
  assertStringIncludes((await open(bytes)).warnings[0]!, "1 bytes after the last sample");
  const short = bytes.subarray(0, bytes.length - 3);
  assertEquals((await failure(open(short), "truncated")).details["completeFrames"], 2);
  const part = await open(short, { allowTruncated: true });
  assertEquals([part.navShape, part.images], [[2], 2]);
  const wanted = await open(short, { allowTruncated: true, nav: [3] });
  assertEquals(await readAll(wanted), join(counting(8), new Uint8Array(4)));
});

Deno.test("the parser names what it could not read", async () => {
  const error = await failure(Promise.resolve().then(() => parseNpyHeader("{'a': 1}", "x.npy")), "malformed");
  assertEquals(error.details["found"], "a");
});
