/** Regions of interest that say what they are, and lists of numbers that could mean two things. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { type Coordinate, normalizeRoi, type RoiInput } from "../../src/dataset/roi/roi.ts";
import { mask, positions, range } from "../../src/dataset/roi/region.ts";
import { TilewiseError } from "../../src/errors.ts";
import { ndarray } from "../../src/space/ndarray.ts";

const selected = (
  input: unknown,
  nav: readonly number[],
) => [...normalizeRoi(input as RoiInput, nav).indices!];

const refusal = (call: () => unknown) => {
  const error = assertThrows(call, TilewiseError);
  assertEquals(error.code, "invalid");
  return error.message;
};

Deno.test("ranges, masks and positions select what they say, also after a journey", () => {
  const forms: [RoiInput, number[]][] = [
    [range("0:2, 1:3"), [1, 2, 6, 7]],
    [range("0+2,1+2"), [1, 2, 6, 7]],
    [range(":2,1::3"), [1, 4, 6, 9]],
    [range("-1,:"), [15, 16, 17, 18, 19]],
    [range("2:2,:"), []],
    [positions([[0, 1], [-1, -1]]), [1, 19]],
    [positions([]), []],
    [mask([[0, 1, 0, 0, 0], [0, 0, 0, 0, 0], [0, 0, 0, 0, 0], [1, 0, 0, 0, 0]]), [1, 15]],
    [mask(Uint8Array.from({ length: 20 }, (_, i) => i === 3 ? 255 : 0)), [3]],
    [mask(ndarray(Float32Array.from({ length: 20 }, (_, i) => i === 4 ? 0.5 : 0), [4, 5], "float32")), [4]],
    [mask({ data: Array.from({ length: 20 }, (_, i) => i === 5), shape: [4, 5] }), [5]],
  ];
  for (const [form, expected] of forms) {
    assertEquals(selected(form, [4, 5]), expected, JSON.stringify(form));
    assertEquals(selected(structuredClone(form), [4, 5]), expected);
  }
  assertEquals(selected(JSON.parse(JSON.stringify(range("0:2,1"))), [4, 5]), [1, 6]);
});

Deno.test("a mask of 0 and 1 and the coordinates it looks like are told apart by roi.mask and roi.positions", () => {
  const list = [[0, 1], [1, 1]];
  assertEquals(selected(mask(list), [2, 2]), [1, 2, 3]);
  assertEquals(selected(positions(list), [2, 2]), [1, 3]);
  const message = refusal(() => normalizeRoi(list, [2, 2]));
  assert(message.includes("as a mask it selects 3 positions, as coordinates 2 positions"), message);
  assert(message.includes("roi.mask(…)") && message.includes("roi.positions(…)"), message);
});

/** All lists of 0 and 1 in a shape. */
function* lists(shape: readonly number[]): Generator<unknown[]> {
  const size = shape.reduce((a, b) => a * b, 1);
  for (let bits = 0; bits < 2 ** size; bits++) {
    let next = 0;
    const level = (d: number): unknown =>
      d === shape.length ? bits >> next++ & 1 : Array.from({ length: shape[d]! }, () => level(d + 1));
    yield level(0) as unknown[];
  }
}

Deno.test("lists of 0 and 1 in the shape of the scan are taken only if both readings agree", () => {
  let [taken, refused] = [0, 0];
  for (const nav of [[1], [2], [3], [1, 1], [1, 2], [2, 1], [2, 2], [3, 2], [2, 3], [2, 2, 2]]) {
    for (const shape of [nav, [nav.reduce((a, b) => a * b)]]) {
      for (const list of lists(shape)) {
        const rows = (shape.length === 1 ? [list] : list) as Coordinate[];
        const readings = [mask(list as never), { positions: rows }].map((form) => {
          try {
            return selected(form, nav).join();
          } catch {
            return "refused";
          }
        });
        if (readings[0] === readings[1]) {
          assertEquals(selected(list, nav).join(), readings[0]!);
          taken++;
        } else {
          assert(/roi\.mask.*roi\.positions/.test(refusal(() => normalizeRoi(list as never, nav))));
          refused++;
        }
      }
    }
  }
  assert(taken > 5 && refused > 300, `${taken} ${refused}`);
});

Deno.test("coordinates that do not look like a mask stay what they are", () => {
  assertEquals(selected([[0, 1], [1, 1]], [2, 3]), [1, 4]);
  assertEquals(selected([[0], [1]], [2]), [0, 1]);
  assertEquals(selected([[1, 0]], [2, 2]), [2]);
  assertEquals(selected([0, 1], [2, 2]), [1]);
  assertEquals(selected([[0, 0], [1, -1]], [2, 2]), [0, 3]);
  assertEquals(selected([[true, false], [false, false]], [2, 2]), [0]);
});

Deno.test("an array of positions is not taken for a mask of as many entries", () => {
  const pairs = Int32Array.of(0, 1, 1, 2, 0, 0);
  const list = ndarray(pairs, [3, 2], "int32");
  assert(refusal(() => normalizeRoi(list, [2, 3])).includes("as a mask it selects 3 positions"));
  assertEquals(selected(mask(list), [2, 3]), [1, 2, 3]);
  const far = ndarray(Int32Array.of(0, 9, 1, 2, 0, 0), [3, 2], "int32"); // (0, 9) is no position: a mask
  assertEquals(selected(far, [2, 3]), [1, 2, 3]);
});

Deno.test("what is no region is refused with the forms there are", () => {
  const wrong: unknown[] = [null, 5, "0:2,0:2", new Int32Array(4), new Set([1]), {}, { indices: [1] }, {
    data: [1],
  }];
  for (const input of wrong) {
    const message = refusal(() => normalizeRoi(input as RoiInput, [2, 2]));
    assert(/roi\.range.*roi\.mask.*roi\.positions/.test(message), message);
  }
  for (const input of [[null], [undefined, [0, 1]], [{}], [[0, "1"]], [[0, 1], true]]) {
    assert(refusal(() => normalizeRoi(input as never, [2, 2])).includes("is not in a scan of 2 × 2"));
  }
  assert(refusal(() => range("0-1")).includes("write start:stop"));
  assert(refusal(() => range(5 as never)).includes("Cannot read ranges from 5"));
  assert(refusal(() => mask([[0, 2], [1, 1]])).includes("not all true or false"));
  assert(refusal(() => mask([[0, 1], [1]])).includes("rows differ in length"));
  const turned = { data: Uint8Array.of(0, 1, 1, 0), shape: [2, 2], stride: [1, 2] };
  assert(refusal(() => normalizeRoi(turned, [2, 2])).includes("not in row-major order"));
  assert(refusal(() => mask(turned)).includes("not in row-major order"));
  assert(refusal(() => mask("01" as never)).includes("Cannot make a mask"));
  assert(refusal(() => positions([0, 1] as never)).includes("roi.positions([[0, 1], [2, 3]])"));
  assert(refusal(() => normalizeRoi(range("0:2,0:3"), [2, 2])).includes("of dimension 1: the scan is 2 × 2"));
  assert(refusal(() => normalizeRoi(mask([0, 1, 0]), [2, 2])).includes("it has 3 positions, the scan has 4"));
});
