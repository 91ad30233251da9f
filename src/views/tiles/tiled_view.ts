/**
 * A view that was put together from tiles.
 *
 * @module
 */

import type { Lease } from "../../memory/arena.ts";
import type { ArrayOf, DType } from "../../space/dtype.ts";
import type { Shape } from "../../space/shape.ts";
import type { ViewGeometry } from "../geometry.ts";
import { View } from "../view.ts";
import type { LevelPlan } from "./levels.ts";

/**
 * A view of one level, in memory until it is released by all of its users. It may be written to.
 * @category Views
 */
export class TiledView<D extends DType = DType> extends View {
  /** Number of its level. */
  readonly level: number;
  /** Samples of level 0 per sample, per dimension. */
  readonly scale: readonly number[];

  /** A loaded view in `lease`. */
  constructor({ level, scale, views }: LevelPlan, geometry: ViewGeometry, lease: Lease) {
    super(views, geometry, lease, () => {});
    this.level = level;
    this.scale = scale;
  }

  /** The samples, row-major, including the halo. Throws after the view has been released. */
  override get data(): ArrayOf<D> {
    return super.data as ArrayOf<D>; // the dtype of the plan is that of the loader
  }

  /** Index of its tile. */
  get index(): Shape {
    return this.geometry.index;
  }
}
