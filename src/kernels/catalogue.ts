/**
 * Every family of kernels with its plain twin and a description of its parameters, for tests and benches; runs load none of it.
 * A row here is a property test and a bench.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo } from "../space/dtype.ts";
import type { Parameter } from "./describe.ts";
import type { KernelFamilies, KernelFamily } from "./families.ts";
import { kernelName } from "./registry.ts";
import { BOX_MEAN } from "./rows/box_mean.ts";
import { COM } from "./rows/com.ts";
import { CONVERT } from "./rows/convert.ts";
import { CORRECT } from "./rows/correct.ts";
import { DOT } from "./rows/dot.ts";
import { FFT } from "./rows/fft.ts";
import { LANES } from "./rows/lanes.ts";
import { FILTERS } from "./rows/filters.ts";
import { FOLD } from "./rows/fold.ts";
import { LOG_PRODUCT } from "./rows/log_product.ts";
import { PHASE } from "./rows/phase.ts";
import { READOUT } from "./rows/readout.ts";
import { SPARSE } from "./rows/sparse.ts";
import { SPARSE_SUMS } from "./rows/sparse_sums.ts";
import { RUNS } from "./rows/runs.ts";
import { STATISTICS } from "./rows/statistics.ts";
import { SUMS } from "./rows/sums.ts";
import { UPSAMPLE_PEAK } from "./rows/upsample_peak.ts";
import { UNPACK } from "./rows/unpack.ts";
import type { FamilyRow } from "./rows/row.ts";
import { SAMPLE_TYPES } from "./sample_types.ts";

/** Every family. */
const ROWS: { readonly [F in KernelFamily]: FamilyRow<F> } = {
  ...SUMS,
  ...STATISTICS,
  ...CONVERT,
  ...CORRECT,
  ...DOT,
  ...FOLD,
  ...COM,
  ...LOG_PRODUCT,
  ...BOX_MEAN,
  ...LANES,
  ...UPSAMPLE_PEAK,
  ...UNPACK,
  ...READOUT,
  ...FILTERS,
  ...RUNS,
  ...FFT,
  ...PHASE,
  ...SPARSE,
  ...SPARSE_SUMS,
};

/** One kernel of the registry. */
export interface KernelRow<F extends KernelFamily = KernelFamily> {
  /** The exported name, such as `sum_frames_u16be`. */
  readonly name: string;
  /** Its family. */
  readonly family: F;
  /** The sample type it reads. */
  readonly dtype: DType;
  /** The byte order it reads. */
  readonly order: ByteOrder;
  /** The plain twin over a memory: specification, oracle and fallback. */
  readonly reference: (memory: WebAssembly.Memory) => KernelFamilies[F];
  /** What it takes, for tests and benches. */
  readonly parameters: readonly Parameter[];
}

/** Every kernel, family by family. */
export function* kernelRows(): IterableIterator<KernelRow> {
  for (const family of Object.keys(ROWS) as KernelFamily[]) yield* familyRows(family);
}

function* familyRows<F extends KernelFamily>(family: F): IterableIterator<KernelRow<F>> {
  const row: FamilyRow<F> = ROWS[family];
  const { dtypes, orders } = SAMPLE_TYPES[family];
  for (const order of ["little", "big"] as const) {
    for (const dtype of dtypes) {
      if (order === "big" && (!orders || dtypeInfo(dtype).unitSize === 1)) continue;
      yield {
        name: kernelName(family, dtype, order),
        family,
        dtype,
        order,
        reference: (memory) => row.reference(memory, dtype, order),
        parameters: row.parameters(dtype, order),
      };
    }
  }
}
