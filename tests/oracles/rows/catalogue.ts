/**
 * Every family of kernels with its plain twin and a description of its parameters, for tests and benches; runs do not
 * load it.
 * Each row gives a property test and a bench.
 *
 * @module
 */

import type { ByteOrder, DType } from "../../../src/space/dtype.ts";
import type { BufferContents, NumberParameter, Parameter } from "./common/describe.ts";
import type { KernelFamilies, KernelFamily } from "../../../src/kernels/families/families.ts";
import { kernelName } from "../../../src/kernels/registry.ts";
import { addressOf, type Variant, variantsOf } from "../../../assembly/table/reading.ts";
import { FAMILIES } from "../../../assembly/table/table.ts";
import { BOX_MEAN } from "./views/box_mean.ts";
import { COM } from "./com.ts";
import { CONVERT } from "./convert.ts";
import { CORRECT } from "./correct.ts";
import { DOT } from "./dot.ts";
import { FFT } from "./fft.ts";
import { IMAGE } from "./rime/image.ts";
import { JPEG } from "./jpeg/jpeg.ts";
import { LANES } from "./lanes.ts";
import { FILTERS } from "./filters.ts";
import { FOLD } from "./fold.ts";
import { LOG_PRODUCT } from "./log_product.ts";
import { PHASE } from "./phase.ts";
import { READOUT } from "./readout.ts";
import { RIME } from "./rime/sources.ts";
import { SEGMENTS } from "./segments.ts";
import { SPARSE } from "./sparse.ts";
import { SPARSE_SUMS } from "./sparse_sums.ts";
import { RUNS } from "./runs.ts";
import { STATISTICS } from "./statistics.ts";
import { SUMS } from "./sums.ts";
import { UPSAMPLE_PEAK } from "./upsample_peak.ts";
import { UNPACK } from "./unpack.ts";
import { VIEWS } from "./views/views.ts";
import { BLOCKS } from "./views/blocks.ts";
import { REGIONS } from "./views/regions.ts";
import { JONES } from "./rime/jones.ts";
import { TERMS } from "./rime/terms.ts";
import { WEIGH_PLANE } from "./views/weigh_plane.ts";
import { WINDOWS } from "./views/windows.ts";
import type { FamilyRow } from "./common/row.ts";

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
  ...WINDOWS,
  ...VIEWS,
  ...WEIGH_PLANE,
  ...BLOCKS,
  ...REGIONS,
  ...LANES,
  ...UPSAMPLE_PEAK,
  ...UNPACK,
  ...READOUT,
  ...FILTERS,
  ...SEGMENTS,
  ...JPEG,
  ...RUNS,
  ...FFT,
  ...PHASE,
  ...RIME,
  ...SPARSE,
  ...SPARSE_SUMS,
  ...TERMS,
  ...JONES,
  ...IMAGE,
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
  /** Its parameters, for tests and benches. */
  readonly parameters: readonly Parameter[];
}

/** Every kernel, family by family. */
export function* kernelRows(): IterableIterator<KernelRow> {
  for (const family of Object.keys(ROWS) as KernelFamily[]) yield* familyRows(family);
}

function* familyRows<F extends KernelFamily>(family: F): IterableIterator<KernelRow<F>> {
  const row: FamilyRow<F> = ROWS[family];
  for (const variant of variantsOf(FAMILIES[family]!)) {
    const { dtype, order } = variant;
    yield {
      name: kernelName(family, dtype, order),
      family,
      dtype,
      order,
      reference: (memory) => row.reference(memory, dtype, order),
      parameters: parametersOf(family, row.parameters(dtype), variant),
    };
  }
}

/** The declaration of each parameter in the table, together with its values in the row. */
function parametersOf(
  family: KernelFamily,
  row: Readonly<Record<string, BufferContents | NumberParameter>>,
  variant: Variant,
): Parameter[] {
  const { params } = FAMILIES[family]!;
  const unknown = Object.keys(row).filter((name) => !(name in params));
  if (unknown.length > 0) {
    throw new Error(`The row of ${family} has ${unknown}, which its kernels do not take`);
  }
  return Object.entries(params).map(([name, type]) => {
    const given = row[name]!;
    return typeof given === "function" ? given : { name, ...addressOf(type, variant)!, ...given };
  });
}
