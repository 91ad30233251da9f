/**
 * Every family of kernels, declared once. `deno task build` makes of it what runs need: the module and its exports
 * (`kernels_types.ts`), documented signatures (`families/kernels_families.ts`), and sample types
 * (`families/kernels_sample_types.ts`). Rows for tests and benches read it as it is; runs load none of it.
 *
 * @module
 */

import { BLOCKS } from "./blocks.ts";
import { CONVERT } from "./convert.ts";
import { CORRECT } from "./correct.ts";
import type { Families } from "./declaration.ts";
import { FILTERS, SEGMENTS } from "./filters.ts";
import { IMAGE } from "./rime/image.ts";
import { JPEG } from "./jpeg.ts";
import { LANES } from "./lanes.ts";
import { PRODUCTS } from "./products.ts";
import { REGIONS } from "./regions.ts";
import { RIME } from "./rime/rime.ts";
import { SPARSE } from "./sparse.ts";
import { STATISTICS } from "./statistics.ts";
import { TERMS } from "./rime/terms.ts";
import { TRANSFORMS } from "./transforms.ts";
import { UNPACK } from "./unpack.ts";
import { VIEWS } from "./views.ts";
import { WINDOWS } from "./windows.ts";

/** The families of each file of this folder, in the order of the exports of the module. */
export const TABLE = {
  statistics: STATISTICS,
  convert: CONVERT,
  correct: CORRECT,
  products: PRODUCTS,
  unpack: UNPACK,
  transforms: TRANSFORMS,
  filters: { ...FILTERS, ...SEGMENTS },
  jpeg: JPEG,
  sparse: SPARSE,
  lanes: LANES,
  windows: WINDOWS,
  views: VIEWS,
  blocks: BLOCKS,
  regions: REGIONS,
  "rime/rime": RIME,
  "rime/image": IMAGE,
  "rime/terms": TERMS,
} satisfies Readonly<Record<string, Families>>;

/** The parameters of a family: their names, and what each is. */
export type ParamsOf<F extends string, File = (typeof TABLE)[keyof typeof TABLE]> = File extends
  { readonly [K in F]: { readonly params: infer P } } ? P : never;

/** Every family by its name. */
export const FAMILIES: Families = Object.assign({}, ...Object.values(TABLE));
