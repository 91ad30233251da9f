/** `checkViewKernel`: kernels over views beside their twins. */

import "../../fences/mod.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TilewiseError } from "../../../src/errors.ts";
import { checkViewKernel } from "../../../src/udf/testing/kernels/check_view_kernel.ts";
import { boxMean } from "../../../src/views/operations/box_mean.ts";
import { median } from "../../../src/views/operations/filters/rank.ts";
import { viewKernel } from "../../../src/views/operations/kernels/view_kernel.ts";
import { localMaximum } from "../../../src/views/operations/local_extremes.ts";

/** The greatest of three samples in a row; `wrong` is where it makes a mistake. */
const greatest = (wrong = "false", more = "") =>
  viewKernel({
    name: "greatest",
    source: `import { Result, Sample } from "tilewise";
      export function plane(data: usize, stride: usize, out: usize, rows: i32, cols: i32): void {
        for (let y = 0; y < rows; y++) for (let x = 0; x < cols; x++, out += sizeof<Result>()) {
          const at = data + y * stride + x * sizeof<Sample>();
          const a = load<Sample>(at - sizeof<Sample>()), b = load<Sample>(at), c = load<Sample>(at + sizeof<Sample>());
          store<Result>(out, ${wrong} ? a : max(a, max(b, c)));
        }
        ${more}
      }`,
    radius: [0, 1],
    dtype: "native",
  });
const twin = localMaximum({ radius: [0, 1] });

Deno.test("a kernel that is what its twin is passes for every type that it takes", async () => {
  const check = await checkViewKernel(greatest(), twin, { runs: 5, samples: "finite" });
  assertEquals(check, { runs: 20, dtypes: ["uint8", "int16", "float32", "float64"] });
});

Deno.test("a mistake is told with the smallest case that shows it", async () => {
  const work = () => checkViewKernel(greatest("x == 2 && y == 1"), twin, { dtypes: ["uint8"] });
  const error = await assertRejects(work, TilewiseError, "is not what its twin is");
  assertEquals([error.code, error.details.kernel], ["udf", "greatest"]);
  const { shape, tile } = error.details.drawn ?? {};
  assert(
    ["2 × 3", "2 × 4", "3 × 3"].includes(String(shape)) && String(tile).split(" × ").every((n) => +n >= 2),
    `${shape}, ${tile}`,
  );
});

Deno.test("a kernel that writes outside of its result, or makes another type, is told as well", async () => {
  const strayed = greatest("false", "store<u8>(out, 1);");
  await assertRejects(
    () => checkViewKernel(strayed, twin, { dtypes: ["uint8"] }),
    TilewiseError,
    "writes outside",
  );
  const means = boxMean({ radius: [0, 1] });
  await assertRejects(
    () => checkViewKernel(greatest(), means, { dtypes: ["uint8"] }),
    TilewiseError,
    "it makes uint8",
  );
  await assertRejects(
    () => checkViewKernel(median() as never, {} as never),
    TilewiseError,
    "and another operation",
  );
});
