/**
 * The tiles of labels over an image, which are opened when they are first shown.
 *
 * @module
 */

import type { Dataset } from "@tilewise/tilewise";
import type { TileSource } from "@tilewise/tilewise/web";
import { type TileListener, TileStore } from "../../draw/tile_store.ts";
import type { ShownLabels } from "../../pictures/label_layer.ts";
import { keptIn } from "../../state/newest.ts";
import type { Overlay } from "../../state/state.ts";
import type { FoundLabels } from "./labels.ts";
import type { Tiles } from "./opening.ts";
import { positionIn } from "./stack_axis.ts";

/** Labels of one image. */
export class LabelOverlay {
  readonly #sources = new Map<Dataset, Promise<TileSource>>();
  #store: { readonly source: TileSource; readonly key: string; readonly store: TileStore } | undefined;

  /** Labels over an image with these levels, from `tiles`. */
  constructor(
    readonly image: Pick<TileSource, "levels">,
    readonly tiles: Pick<Tiles, "openOther" | "closeOther">,
    readonly listener: TileListener,
  ) {}

  /** Closes labels that will not be shown any more. */
  async forget(labels: Dataset | undefined): Promise<void> {
    const source = labels && this.#sources.get(labels);
    if (!source) return;
    this.#sources.delete(labels);
    await this.tiles.closeOther(await source);
  }

  /** The tiles of labels. Errors: those of reading. */
  opened({ dataset }: FoundLabels): Promise<TileSource> {
    return keptIn(this.#sources, dataset, () => this.tiles.openOther(dataset));
  }

  /** Open labels at a position of the stack, in the place of those before. Errors: `RangeError` for labels of another shape. */
  shown(
    { name }: FoundLabels,
    source: TileSource,
    { opacity, outline }: Omit<Overlay, "name">,
    stack: Readonly<Record<string, number>>,
  ): ShownLabels {
    const scale = scaleOf(this.image, source);
    if (scale === undefined) {
      const [image, labels] = [this.image, source].map((
        { levels: [{ height, width } = { height: 0, width: 0 }] },
      ) => `${height} × ${width}`);
      throw new RangeError(`The labels ${name} have ${labels} samples, the image ${image}: they do not fit`);
    }
    return { name, opacity, outline, scale, store: this.#storeOf(source, stack) };
  }

  #storeOf(source: TileSource, stack: Readonly<Record<string, number>>): TileStore {
    const shape = source.levels[0]!.shape;
    const selection = Object.fromEntries(
      source.labels.flatMap((label, d) =>
        label === "y" || label === "x" ? [] : [[label, positionIn(stack, { label, size: shape[d]! })]]
      ),
    );
    const key = JSON.stringify(selection);
    if (this.#store?.source === source && this.#store.key === key) return this.#store.store;
    this.#store?.store.close();
    const reader = {
      levels: source.levels,
      tileSize: source.tileSize,
      isLabels: true,
      getTile: source.getTile.bind(source),
    };
    const store = new TileStore(reader, [selection], this.listener);
    this.#store = { source, key, store };
    return store;
  }
}

/** Samples of the image per sample of another one; undefined, if both have another ratio of sides. */
export function scaleOf(
  image: Pick<TileSource, "levels">,
  labels: Pick<TileSource, "levels">,
): number | undefined {
  const [one, other] = [image.levels[0]!, labels.levels[0]!];
  const scale = one.height / other.height;
  return Math.abs(other.width * scale - one.width) <= Math.max(1, scale) ? scale : undefined;
}
