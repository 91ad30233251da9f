/**
 * An image on the screen: its tiles, and the channels of it that are shown.
 *
 * @module
 */

/// <reference lib="dom" />

import { type ImageSelection, TileStore } from "../../draw/tile_store.ts";
import { element } from "../../parts/dom.ts";
import type { TilesChannel, TwTiles } from "../../pictures/mod.ts";
import type { ChannelLook, ImageLooks, PageState } from "../../state/state.ts";
import { displayOf, shownLooks } from "./channel_looks.ts";
import type { OpenedImage } from "./opened_image.ts";
import { positionIn } from "./stack_axis.ts";

/** A channel, which image of the stack it is, and which one says its contrast: the same, however one came to what is seen. */
type ChannelImage = TilesChannel & { readonly selection: ImageSelection; readonly contrast: ImageSelection };

/** What is shown of an image. */
type Shown = Pick<PageState, "channels" | "scan" | "stack">;

/** A picture of one image at a time. */
export class ImagePicture {
  /** The element. */
  readonly element = element("tw-tiles") as TwTiles;
  #opened: OpenedImage | undefined;

  /** `failed` hears which tiles cannot be read. */
  constructor(readonly failed: (error: unknown) => void) {}

  /** The image that is open. */
  get opened(): OpenedImage | undefined {
    return this.#opened;
  }

  /** Takes another image; the one before is seen until the first tile of it is there. */
  use(opened: OpenedImage): void {
    this.#opened = opened;
    this.element.facts = opened.facts;
  }

  /** Shows nothing. */
  close(): void {
    this.#opened = undefined;
    this.element.store?.close();
    this.element.use(undefined);
  }

  /** How the channels are shown; undefined: one at a time, or there are none. */
  looks({ channels }: ImageLooks): readonly ChannelLook[] | undefined {
    const axis = this.#opened?.axis;
    return axis && shownLooks(axis, channels);
  }

  /** Shows the channels and the image of the stack that the state names. */
  show(state: Shown): void {
    const opened = this.#opened;
    if (!opened) return;
    const images = this.#images(opened, state);
    const selections = images.map(({ selection }) => selection);
    const { store } = this.element;
    const isSame = store?.reader === opened.source &&
      JSON.stringify(store.selections) === JSON.stringify(selections);
    if (isSame) this.element.channels = images;
    else this.#open(opened, selections, images);
  }

  #open(
    { source, cache }: OpenedImage,
    selections: readonly ImageSelection[],
    images: readonly ChannelImage[],
  ): void {
    this.element.store?.close();
    const heard = {
      changed: () => this.element.tilesChanged(),
      failed: (error: unknown) => this.element.store === store && this.failed(error),
    };
    const contrast = images.map((image) => image.contrast);
    const store: TileStore = new TileStore(source, selections, heard, cache, contrast);
    this.element.use(store, images);
  }

  /** The images that are shown together: one for each channel that is shown. */
  #images({ axis, stack }: OpenedImage, state: Shown): ChannelImage[] {
    const all = Object.fromEntries(stack.map((one) => [one.label, positionIn(state.stack, one)]));
    const first = Object.fromEntries(stack.map(({ label }) => [label, 0]));
    const looks = this.looks(state);
    const images = (channel: ImageSelection) => ({
      selection: { ...all, ...channel },
      contrast: { ...first, ...channel },
    });
    if (!axis || !looks) {
      const channel = axis ? { [axis.label]: all[axis.label]! } : {};
      return [{ id: Object.values(channel).join(), name: "", display: state.scan, ...images(channel) }];
    }
    return looks.flatMap((look, i) => {
      const display = displayOf(look, state.scan.percentile);
      return look.shown
        ? [{ id: `${i}`, name: axis.names[i]!, display, ...images({ [axis.label]: i }) }]
        : [];
    });
  }
}
