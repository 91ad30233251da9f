/**
 * Tests for your own UDFs and kernels: any tiles, partitions, regions and workers must give the same results.
 *
 * @example
 * ```ts
 * import { sumPixels } from "@tilewise/tilewise";
 * import { testUdf } from "@tilewise/tilewise/testing";
 * await testUdf(sumPixels());
 * ```
 *
 * @module
 */

export { testUdf, type UdfTest, type UdfTestOptions } from "../udf/testing/test_udf.ts";
