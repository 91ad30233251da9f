/**
 * How one image is shown: the list of its channels, or the histogram and the colours of its values.
 *
 * @module
 */

/// <reference lib="dom" />

import { ndarray } from "@tilewise/tilewise/arrays";
import { limitsOfSamples } from "../../draw/view_of_tiles.ts";
import { textButton } from "../../parts/buttons.ts";
import { element, setText } from "../../parts/dom.ts";
import { onPicture, type TwColours, type TwHistogram } from "../../pictures/mod.ts";
import type { ChannelLook, Display, ImageLooks } from "../../state/state.ts";
import { ChannelList } from "./channels.ts";
import type { ImagePicture } from "./image_picture.ts";

/** What it is given. */
export interface LooksHost {
  readonly image: ImagePicture;
  /** How the image is shown now. */
  looks(): ImageLooks & { readonly scan: Display };
  /** It is shown otherwise; `group` names what has changed, `done` is false while a hand moves. */
  changed(change: ImageLooks, group: string, done: boolean): void;
}

/** The parts of the panel that say how an image is shown. */
export class LooksOfImage {
  readonly #host: LooksHost;
  readonly #channels = new ChannelList({
    changed: (channels, done) => this.#host.changed({ channels }, "channels", done),
    sorted: (order) => this.#host.changed({ order }, "order", true),
    seen: () => this.#setRanges(),
  });
  readonly #histogram = element("tw-histogram") as TwHistogram;
  readonly #colours = element("tw-colours") as TwColours;
  readonly #title = element("h2");
  readonly #values = element(
    "section",
    { class: "part" },
    this.#title,
    this.#histogram,
    textButton({ label: "Range of what is seen", look: "small", press: () => this.#setRanges() }),
    this.#colours,
  );
  #counted: Float64Array | undefined;

  /** Shows nothing yet. */
  constructor(host: LooksHost) {
    this.#host = host;
    for (const part of [this.#histogram, this.#colours]) {
      onPicture(
        part,
        "display-change",
        ({ display, done }) => host.changed({ scan: display }, "colours", done),
      );
    }
    host.image.element.addEventListener("samples-change", () => this.count());
  }

  /** The list of channels; hidden for an image without. */
  get channels(): HTMLElement {
    return this.#channels.root;
  }

  /** Histogram and colours; hidden while channels are shown together. */
  get values(): HTMLElement {
    return this.#values;
  }

  /** How the channels are shown; undefined: one at a time, or there are none. */
  get together(): readonly ChannelLook[] | undefined {
    return this.#host.image.looks(this.#host.looks());
  }

  /** Shows the looks of the image; `of` is its name where there are two. */
  show(of: string = ""): void {
    const { order, scan } = this.#host.looks();
    const { opened } = this.#host.image;
    const { together } = this;
    setText(this.#title, of === "" ? "Values that are seen" : `Values of ${of}`);
    this.#channels.title = of === "" ? "Channels" : `Channels of ${of}`;
    this.#channels.show(opened?.axis, together, order);
    this.#values.hidden = !opened || together !== undefined;
    this.#colours.display = scan;
    this.count();
  }

  /** Counts the values of each channel, or those that are seen. */
  count(): void {
    const { element: picture, opened } = this.#host.image;
    const { channels, samples: [samples] } = picture;
    if (this.together) return this.#channels.count(channels, (id) => picture.valuesOf(id));
    const [{ display } = {}] = channels;
    if (display) this.#histogram.display = this.#limited(display);
    if (samples === this.#counted) return;
    this.#counted = samples;
    this.#histogram.image = opened && samples && samples.length > 0
      ? { ...opened.facts, array: ndarray(samples, [1, samples.length], "float64") }
      : undefined;
  }

  /** Takes the percentiles of what is seen as the range of each channel that is shown. */
  #setRanges(): void {
    const { channels, samples } = this.#host.image.element;
    const ranges = channels.map(({ id, display }, c) => {
      const { range: _, ...usual } = display;
      return samples[c]?.length
        ? [id, { ...usual, range: limitsOfSamples(samples[c], usual, false) }] as const
        : [id, display] as const;
    });
    const { together } = this;
    if (!together) return ranges[0] && this.#host.changed({ scan: ranges[0][1] }, "colours", true);
    const found = new Map(ranges);
    const ranged = together.map((look, i) => {
      const { range = look.range } = found.get(`${i}`) ?? {};
      return { ...look, ...(range ? { range } : {}) };
    });
    this.#host.changed({ channels: ranged }, "channels", true);
  }

  /** The histogram has only what is seen: the range of the whole image is told to it. */
  #limited(display: Display): Display {
    const [range] = this.#host.image.element.limits;
    return range && range[0] < range[1] ? { ...display, range } : display;
  }
}
