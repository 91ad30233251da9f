import { assert, assertEquals, assertThrows } from "@std/assert";
import { TilewiseError } from "../../src/errors.ts";
import {
  type DType,
  dtypeInfo,
  DTYPES,
  isExact,
  parseDType,
  resultType,
  typedArray,
  zeros,
} from "../../src/space/dtype.ts";
import numpy from "./result_type.json" with { type: "json" };

const table = numpy.table as Record<DType, Record<DType, DType>>;

Deno.test("the dtype for two is NumPy's, for every pair", () => {
  for (const a of DTYPES) {
    for (const b of DTYPES) assertEquals([a, b, resultType(a, b)], [a, b, table[a][b]]);
  }
  assertEquals(Object.keys(table).length, DTYPES.length);
});

Deno.test("the dtype for three is NumPy's, in any order, and that for more is that of their pairs and threes", () => {
  const names = Object.keys(table) as DType[];
  let n = 0;
  for (const a of names) {
    for (const b of names) {
      for (const c of names) {
        const want = names[numpy.triples.charCodeAt(n++) - 97]!;
        assertEquals([a, b, c, resultType(a, b, c)], [a, b, c, want]);
        assertEquals(resultType(a, b, c, a, want), want);
      }
    }
  }
});

Deno.test("every name that NumPy writes into a file is read", () => {
  for (const [text, dtype] of Object.entries(numpy.strings)) {
    assertEquals([text, parseDType(text)], [text, dtype as DType]);
  }
});

Deno.test("names may be long, short or NumPy's", () => {
  for (const dtype of DTYPES) {
    assertEquals([parseDType(dtype), parseDType(` ${dtype.toUpperCase()} `)], [dtype, dtype]);
  }
  const short: [string, DType][] = [
    ["u16", "uint16"],
    ["i32", "int32"],
    ["f16", "float16"],
    ["F64", "float64"],
    [
      "c64",
      "complex64",
    ],
    ["c8", "complex64"],
    ["c16", "complex128"],
    ["u1", "uint8"],
    ["f8", "float64"],
    ["b1", "bool"],
    ["?", "bool"],
  ];
  for (const [text, dtype] of short) assertEquals([text, parseDType(text)], [text, dtype]);
});

Deno.test("names that could mean two dtypes, or another one than it seems, are refused", () => {
  assertThrows(() => parseDType("u8"), TilewiseError, "uint8 or uint64");
  assertThrows(() => parseDType("i8"), TilewiseError, "int8 or int64");
  for (
    const text of [
      "",
      "<",
      "u",
      "<U2",
      "U2",
      "S2",
      "O",
      "<f16",
      "<u16",
      ">i32",
      "float",
      "uint",
      "<<u2",
      "u2 x",
      "u3",
    ]
  ) {
    assertEquals(assertThrows(() => parseDType(text), TilewiseError, "Unknown dtype").code, "invalid");
  }
});

Deno.test("arrays have the size that the facts tell", () => {
  for (const dtype of DTYPES) {
    const { itemSize, unitSize, kind } = dtypeInfo(dtype);
    assertEquals(zeros(dtype, 3).byteLength, 3 * itemSize);
    assertEquals(zeros(dtype, 3).BYTES_PER_ELEMENT, unitSize);
    const view = typedArray(dtype, new SharedArrayBuffer(64), 16, 2);
    assertEquals([view.byteOffset, view.byteLength], [16, 2 * itemSize]);
    assertEquals(isExact(dtype), kind === "b" || kind === "u" || kind === "i");
    assert(itemSize === unitSize || kind === "c");
  }
});
