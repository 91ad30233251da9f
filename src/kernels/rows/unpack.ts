/**
 * Rows of the kernels that unpack samples.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../space/dtype.ts";
import type { BufferParameter, Parameter, Sizes } from "../families/describe.ts";
import { bitsLsb, bitsMsb, mibR1, mibR24, mibWords, reverse } from "../reference/unpack.ts";
import type { FamilyRow } from "./common/row.ts";

/** Bit streams, reversal, Merlin's raw mode. */
export const UNPACK: {
  readonly bits_lsb: FamilyRow<"bits_lsb">;
  readonly bits_msb: FamilyRow<"bits_msb">;
  readonly reverse: FamilyRow<"reverse">;
  readonly mib_r1: FamilyRow<"mib_r1">;
  readonly mib_r6: FamilyRow<"mib_r6">;
  readonly mib_r12: FamilyRow<"mib_r12">;
  readonly mib_r24: FamilyRow<"mib_r24">;
} = {
  bits_lsb: { reference: bitsLsb, parameters: bitParameters },
  bits_msb: { reference: bitsMsb, parameters: bitParameters },
  reverse: { reference: reverse, parameters: moveParameters(1) },
  mib_r1: { reference: mibR1, parameters: moveParameters(64) },
  mib_r6: { reference: mibWords, parameters: moveParameters(8) },
  mib_r12: { reference: mibWords, parameters: moveParameters(4) },
  mib_r24: { reference: mibR24, parameters: planeParameters },
};

/** Any width that the type holds; often one that has a way of its own. */
function width({ seed }: Sizes, dtype: DType): number {
  const most = 8 * dtypeInfo(dtype).itemSize;
  const special = [1, 4, 12][seed % 3]!;
  return seed % 2 === 0 && special <= most ? special : 1 + seed % most;
}

function bitParameters(dtype: DType): Parameter[] {
  const start = ({ seed }: Sizes) => seed % 4 === 1 ? seed % 11 : 8 * (seed % 3);
  const bytes = (sizes: Sizes) => Math.ceil((start(sizes) + sizes.pixels * width(sizes, dtype)) / 8);
  return [
    output(dtype),
    { name: "src", role: "in", dtype: "uint8", bytes, values: "any" },
    start,
    (sizes) => sizes.pixels,
    (sizes) => width(sizes, dtype),
  ];
}

/** `dst`, `src`, `n`, with a source of whole groups of `group` pixels. */
function moveParameters(group: number) {
  return (dtype: DType): Parameter[] => [output(dtype), input("src", dtype, group), (sizes) => sizes.pixels];
}

function planeParameters(dtype: DType): Parameter[] {
  return [output(dtype), input("high", "uint16", 4), input("low", "uint16", 4), (sizes) => sizes.pixels];
}

function output(dtype: DType): BufferParameter {
  const bytes = (sizes: Sizes) => sizes.pixels * dtypeInfo(dtype).itemSize;
  return { name: "dst", role: "out", dtype, bytes, values: "any" };
}

function input(name: string, dtype: DType, group: number): BufferParameter {
  const bytes = (sizes: Sizes) => Math.ceil(sizes.pixels / group) * group * dtypeInfo(dtype).itemSize;
  return { name, role: "in", dtype, bytes, values: "any" };
}
