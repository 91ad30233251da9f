/**
 * An image that is drawn: its planes, and means of them, which are kept while the zoom changes.
 *
 * @module
 */

import type { Limits } from "../../src/pictures/mod.ts";
import type { Display } from "../state/state.ts";
import { type LabelShare, labelShares } from "./legend.ts";
import { limitsOf } from "./limits.ts";
import { hasDirections, type Planes, planesOf, reduced, type Shown } from "./numbers.ts";
import { directTexture, fitsFloat, type NumberTexture, planeTextures } from "./texture.ts";

/** Reductions that are kept. */
const MOST_KEPT = 3;

/** An image, and what was computed of it. */
export class DrawnImage {
  /** Its numbers. */
  readonly planes: Planes;
  /** Whether it is shown by direction and length. */
  readonly directions: boolean;
  readonly #reduced = new Map<number, Planes>();
  #labels: readonly LabelShare[] | undefined;
  #limits: { readonly key: string; readonly limits: Limits } | undefined;

  /** Nothing is computed yet. */
  constructor(readonly image: Shown) {
    this.planes = planesOf(image);
    this.directions = hasDirections(image);
  }

  /** Which labels there are, if it is an image of labels. */
  get labels(): readonly LabelShare[] | undefined {
    return this.image.meaning === "label" ? this.#labels ??= labelShares(this.planes) : undefined;
  }

  /** Columns. */
  get width(): number {
    return this.planes.width;
  }

  /** Rows. */
  get height(): number {
    return this.planes.height;
  }

  /** The values of the first and the last colour. */
  limits(display: Display): Limits {
    const key = JSON.stringify([display.range, display.percentile, display.colormap]);
    if (this.#limits?.key !== key) this.#limits = { key, limits: limitsOf(this.planes, display) };
    return this.#limits.limits;
  }

  /** Means over `n × n` samples, in memory. */
  reduced(n: number): Planes {
    if (n === 1) return this.planes;
    let planes = this.#reduced.get(n);
    if (!planes) {
      planes = inMemory(reduced(this.planes, n));
      if (this.#reduced.size >= MOST_KEPT) this.#reduced.delete([...this.#reduced.keys()][0]!);
      this.#reduced.set(n, planes);
    }
    return planes;
  }

  /** Means over `n × n` samples as textures: one, or two for directions. */
  textures(n: number): readonly NumberTexture[] {
    const { image } = this;
    if (n === 1 && !("y" in image)) {
      const direct = directTexture(image.array);
      if (direct) return [direct];
    }
    const arrays = "y" in image ? [image.y, image.x] : [image.array];
    return planeTextures(this.reduced(n).parts, arrays.every(fitsFloat));
  }
}

/** The display of images that are seen together: one range for all, with zero in its middle, unless it is given. */
export function displayOfAll(images: readonly Shown[], display: Display): Display {
  if (images.length < 2 || display.range) return display;
  const most = Math.max(...images.flatMap((image) => new DrawnImage(image).limits(display)).map(Math.abs));
  return most > 0 && Number.isFinite(most) ? { ...display, range: [-most, most] } : display;
}

/** The same planes, computed once. */
function inMemory({ width, height, parts: [first, second] }: Planes): Planes {
  const kept = (plane: typeof first) => {
    const data = new Float64Array(width * height);
    for (let y = 0; y < height; y++) plane.row(y, data.subarray(y * width, (y + 1) * width));
    return {
      width,
      height,
      row: (y: number, into: Float64Array) => into.set(data.subarray(y * width, (y + 1) * width)),
    };
  };
  return { width, height, parts: second ? [kept(first), kept(second)] : [kept(first)] };
}
