/**
 * Reference kernels of the products that are used for sums of logarithms.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { KernelFamilies } from "../../../src/kernels/families/families.ts";
import { type Read, reader } from "../../../src/memory/sample_reader.ts";
import { doubles, type Write } from "./samples.ts";

/** Products stay below this, so that the product of two is finite. */
const LIMIT = 2 ** 512;

/** `product[p] · 2^(512 powers[p])` times `x[p] − min x + 1`; NaN is ignored for the minimum. */
export function logProduct(
  memory: WebAssembly.Memory,
  dtype: DType,
  order: ByteOrder,
): KernelFamilies["log_product"] {
  const read = reader(memory, dtype, order);
  const multiply = multiplier(doubles(memory));
  const { itemSize } = dtypeInfo(dtype);
  return (product, powers, data, pixels) => {
    const values = Array.from({ length: pixels }, (_, p) => read(data + p * itemSize));
    const least = values.reduce((least, value) => value < least ? value : least, Infinity);
    values.forEach((value, p) => multiply(product + 8 * p, powers + 8 * p, value - least + 1, 0));
  };
}

/** Multiplies products A by products B. */
export function logProductMerge(memory: WebAssembly.Memory): KernelFamilies["log_product_merge"] {
  const view = doubles(memory);
  const multiply = multiplier(view);
  return (productA, powersA, productB, powersB, pixels) => {
    for (let at = 0; at < 8 * pixels; at += 8) {
      multiply(productA + at, powersA + at, begun(view.get(productB + at)), view.get(powersB + at));
    }
  };
}

/** Multiplies the product at an address by `y · 2^(512 power)`. */
function multiplier({ get, set }: { get: Read; set: Write }) {
  return (product: number, powers: number, y: number, power: number) => {
    const old = begun(get(product));
    const [factor, first] = divided(y);
    const [result, second] = divided(old * factor);
    set(product, result);
    set(powers, get(powers) + power + (Number.isNaN(old) ? 0 : first + second));
  };
}

/** A product that has not been started is 1. */
function begun(product: number): number {
  return product < 1 ? 1 : product;
}

function divided(value: number): [number, number] {
  return value >= LIMIT && value < Infinity ? [value / LIMIT, 1] : [value, 0];
}
