/**
 * Kernels of imaging: samples on grids, and grids as images.
 *
 * @module
 */

import { FLOATS } from "../../../src/kernels/families/types.ts";
import type { Families, Params } from "../declaration.ts";

/** Where samples go: see `assembly/kernels/rime/grid.ts`. */
const PLACES = {
  rowStride: "usize",
  planeStride: "usize",
  table: "in T",
  degree: "i32",
  support: "i32",
  depth: "i32",
  scratch: "scratch T",
} satisfies Params;

/**
 * Kernels of imaging. Grids hold pairs of T. A record is five f64: x, y, z in cells and planes, re, im.
 * @category Kernels
 */
export const IMAGE = {
  /**
   * Adds samples to `support · support · depth` cells around them, for the rows from `first` on and the planes from `firstPlane`
   * on, which lie at `grid`; `order` lists the records. Weights are polynomials: `degree + 1` rows of `table`, each `support`
   * numbers and zeros up to a multiple of four. Rows wrap around at `height`; there are `width + support + 1` columns. With
   * `depth` 1 there is one plane, and z does not count. `scratch` takes three such rows.
   */
  grid_spread: {
    pack: "rime",
    file: "rime/grid",
    body: "gridSpread",
    params: {
      grid: "inout T",
      records: "in float64",
      order: "in int32",
      count: "i32",
      width: "i32",
      height: "i32",
      first: "i32",
      rows: "i32",
      firstPlane: "i32",
      planes: "i32",
      ...PLACES,
    },
    types: FLOATS,
  },
  /** The adjoint of `grid_spread`: adds to the value of each listed record what its cells have. The grid has all rows. */
  grid_gather: {
    pack: "rime",
    file: "rime/grid",
    body: "gridGather",
    params: {
      records: "inout float64",
      grid: "in T",
      order: "in int32",
      count: "i32",
      width: "i32",
      height: "i32",
      firstPlane: "i32",
      planes: "i32",
      ...PLACES,
    },
    types: FLOATS,
  },
  /**
   * Transforms `count` lines in place, `laneStep` bytes apart, of complex numbers `step` bytes apart. Of `length` numbers `kept`
   * are stored, the first and the last ones, those between are 0; they become the `used` ones around frequency 0, in rising
   * order, or with `widen` these become the kept ones. `tables` is that of the length; `scratch` takes two times 32 bytes per
   * number.
   */
  grid_transform: {
    pack: "rime",
    file: "rime/grid_planes",
    body: "gridTransform",
    params: {
      data: "inout T",
      count: "i32",
      laneStep: "usize",
      step: "usize",
      length: "i32",
      kept: "i32",
      used: "i32",
      widen: "i32",
      tables: "in T",
      scratch: "scratch T",
    },
    types: FLOATS,
  },
  /**
   * Adds `Re(plane · exp(−2πi w (n − 1 − middle)))` to an image, or with `back` writes the image times that phase to the plane.
   * Column i has `l + (start + i) dl`, row j `m + j dm`.
   */
  grid_screen: {
    pack: "rime",
    file: "rime/grid_planes",
    body: "gridScreen",
    params: {
      image: "inout float64",
      plane: "inout T",
      columns: "i32",
      rows: "i32",
      imageStride: "usize",
      planeStride: "usize",
      start: "i32",
      l: "f64",
      dl: "f64",
      m: "f64",
      dm: "f64",
      middle: "f64",
      w: "f64",
      back: "i32",
    },
    types: FLOATS,
  },
} satisfies Families;
