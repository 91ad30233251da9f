/**
 * The tiles of labels over an image, which are opened when they are first shown.
 *
 * @module
 */

import type { Dataset } from "@tilewise/tilewise";
import type { TileSource } from "@tilewise/tilewise/web";
import { type TileListener, TileStore } from "../../draw/tile_store.ts";
import type { ShownLabels } from "../../pictures/label_layer.ts";
import type { Overlay } from "../../state/state.ts";
import type { FoundLabels } from "./labels.ts";
import { positionIn } from "./selection.ts";

/** Labels of one image. */
export class LabelOverlay {
  readonly #sources = new Map<string, Promise<TileSource>>();
  #store: { readonly key: string; readonly store: TileStore } | undefined;

  /** Labels over `image`, whose sources `open` opens. */
  constructor(
    readonly image: TileSource,
    readonly open: (labels: Dataset) => Promise<TileSource>,
    readonly listener: TileListener,
  ) {}

  /** The tiles of labels at a position of the stack. Errors: those of reading, and `RangeError` for labels of another shape. */
  async shown(
    { array, name, dataset }: FoundLabels,
    { opacity, outline }: Overlay,
    stack: Readonly<Record<string, number>>,
  ): Promise<ShownLabels> {
    let opening = this.#sources.get(array);
    if (!opening) this.#sources.set(array, opening = this.open(dataset));
    const source = await opening;
    const scale = scaleOf(this.image, source);
    if (scale === undefined) {
      const [image, labels] = [this.image, source].map((
        { levels: [{ height, width } = { height: 0, width: 0 }] },
      ) => `${height} × ${width}`);
      throw new RangeError(`The labels ${name} have ${labels} samples, the image ${image}: they do not fit`);
    }
    return { name, opacity, outline, scale, store: this.#storeOf(array, source, stack) };
  }

  #storeOf(array: string, source: TileSource, stack: Readonly<Record<string, number>>): TileStore {
    const shape = source.levels[0]!.shape;
    const selection = Object.fromEntries(
      source.labels.flatMap((label, d) =>
        label === "y" || label === "x" ? [] : [[label, positionIn(stack, { label, size: shape[d]! })]]
      ),
    );
    const key = `${array} ${JSON.stringify(selection)}`;
    if (this.#store?.key === key) return this.#store.store;
    this.#store?.store.close();
    const reader = {
      levels: source.levels,
      tileSize: source.tileSize,
      isLabels: true,
      getTile: source.getTile.bind(source),
    };
    const store = new TileStore(reader, [selection], this.listener);
    this.#store = { key, store };
    return store;
  }
}

/** Samples of the image per label; undefined, if both have another ratio of sides. */
function scaleOf(image: TileSource, labels: TileSource): number | undefined {
  const [one, other] = [image.levels[0]!, labels.levels[0]!];
  const scale = one.height / other.height;
  return Math.abs(other.width * scale - one.width) <= Math.max(1, scale) ? scale : undefined;
}
