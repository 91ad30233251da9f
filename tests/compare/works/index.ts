/**
 * Everything that is compared.
 *
 * @module
 */

import type { AnyWork } from "../work.ts";
import { CORRELATE } from "./blobs/correlate.ts";
import { LATTICE } from "./blobs/lattice.ts";
import { PATTERNS } from "./blobs/patterns.ts";
import { PLACED } from "./blobs/placed.ts";
import { CLUSTERS } from "./clusters.ts";
import { COM } from "./com.ts";
import { DETECTORS } from "./detectors.ts";
import { GENERATED } from "./generators.ts";
import { MAPPING } from "./mapping.ts";
import { MASKS } from "./masks.ts";
import { OWN_UDFS } from "./own.ts";
import { RADIAL } from "./radial.ts";
import { REDUCTIONS } from "./reductions.ts";
import { SPECTRA } from "./spectra.ts";
import { TILING } from "./tiling.ts";

/** All works, in the order of the table. */
export const WORKS: readonly AnyWork[] = [
  ...REDUCTIONS,
  ...MASKS,
  ...DETECTORS,
  ...COM,
  ...RADIAL,
  ...SPECTRA,
  ...MAPPING,
  ...CLUSTERS,
  ...PATTERNS,
  ...CORRELATE,
  ...LATTICE,
  ...PLACED,
  ...GENERATED,
  ...TILING,
  ...OWN_UDFS,
];
