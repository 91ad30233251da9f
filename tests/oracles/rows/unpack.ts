/**
 * Rows of the kernels that unpack samples.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../../../src/space/dtype.ts";
import type { BufferContents, Sizes } from "./common/describe.ts";
import { bitsLsb, bitsMsb, mibR1, mibR24, mibWords, reverse } from "../twins/unpack.ts";
import { numbers, pixels, type RowParameters, type Rows } from "./common/row.ts";

/** Bit streams, reversal, Merlin's raw mode. */
export const UNPACK: Rows<"bits_lsb" | "bits_msb" | "reverse" | "mib_r1" | "mib_r6" | "mib_r12" | "mib_r24"> =
  {
    bits_lsb: { reference: bitsLsb, parameters: bitParameters },
    bits_msb: { reference: bitsMsb, parameters: bitParameters },
    reverse: { reference: reverse, parameters: (dtype) => moved(dtype, 1) },
    mib_r1: { reference: mibR1, parameters: (dtype) => moved(dtype, 64) },
    mib_r6: { reference: mibWords, parameters: (dtype) => moved(dtype, 8) },
    mib_r12: { reference: mibWords, parameters: (dtype) => moved(dtype, 4) },
    mib_r24: {
      reference: mibR24,
      parameters: (dtype) => ({
        dst: numbers(dtype, pixels),
        high: groups("uint16", 4),
        low: groups("uint16", 4),
        n: pixels,
      }),
    },
  };

/** Any width that the type holds; often one with special code. */
function width({ seed }: Sizes, dtype: DType): number {
  const most = 8 * dtypeInfo(dtype).itemSize;
  const special = [1, 4, 12][seed % 3]!;
  return seed % 2 === 0 && special <= most ? special : 1 + seed % most;
}

function bitParameters(dtype: DType): RowParameters<"bits_lsb"> {
  const startBit = ({ seed }: Sizes) => seed % 4 === 1 ? seed % 11 : 8 * (seed % 3);
  const bits = (sizes: Sizes) => width(sizes, dtype);
  return {
    dst: numbers(dtype, pixels),
    src: numbers("uint8", (sizes) => Math.ceil((startBit(sizes) + sizes.pixels * bits(sizes)) / 8)),
    startBit,
    n: pixels,
    bits,
  };
}

/** A source that consists of whole groups of `group` pixels. */
function moved(dtype: DType, group: number): RowParameters<"reverse"> {
  return { dst: numbers(dtype, pixels), src: groups(dtype, group), n: pixels };
}

function groups(dtype: DType, group: number): BufferContents {
  return numbers(dtype, ({ pixels }) => Math.ceil(pixels / group) * group);
}
