/**
 * `<tw-profile>`: values along a line.
 *
 * @module
 */

/// <reference lib="dom" />

import { ticksOf } from "../../src/pictures/mod.ts";
import { countedPlane } from "../draw/histogram.ts";
import { planesOf, type Shown } from "../draw/numbers.ts";
import { type Profile, profileOf } from "../draw/profile.ts";
import { lengthUnit, numberText, unitText } from "../draw/words.ts";
import type { Position } from "../state/state.ts";
import { PROFILE_STYLE } from "./chart_style.ts";
import { placeIn } from "./drag.ts";
import { define, html, PictureElement, setAll, setTextOf, setTicks, svg } from "./element.ts";
import { Measured } from "./measured.ts";

/** A line from one position to another. */
export type Line = readonly [start: Position, stop: Position];

/** A chart of the values along a line. */
export class TwProfile extends PictureElement {
  readonly #curve = svg("path", { class: "curve" });
  readonly #zero = svg("path", { class: "zero" });
  readonly #hair = svg("path", { class: "hair" });
  readonly #layer = svg("svg", { role: "img" }, this.#zero, this.#curve, this.#hair);
  readonly #chart = html("div", { class: "chart" }, this.#layer);
  readonly #ticks = html("div", { class: "ticks", "aria-hidden": "true" });
  readonly #high = html("span");
  readonly #readout = html("span");
  readonly #low = html("span");
  readonly #measured = new Measured(this.#chart, () => this.redraw());
  #image: Shown | undefined;
  #line: Line | undefined;
  #averaging = 1;
  #profile: Profile | undefined;

  /** An empty chart. */
  constructor() {
    super(PROFILE_STYLE);
    const above = html("div", { class: "row" }, this.#high, this.#readout);
    this.root.append(above, this.#chart, html("div", { class: "row" }, this.#low), this.#ticks);
    this.#chart.addEventListener("pointermove", (event) => this.#point(placeIn(this.#chart, event)[1]));
    this.#chart.addEventListener("pointerleave", () => this.#point(undefined));
  }

  /** The image. */
  get image(): Shown | undefined {
    return this.#image;
  }

  set image(image: Shown | undefined) {
    this.#image = image;
    this.redraw();
  }

  /** The line, in samples. */
  get line(): Line | undefined {
    return this.#line;
  }

  set line(line: Line | undefined) {
    this.#line = line;
    this.redraw();
  }

  /** Samples across the line whose mean is shown. */
  get averaging(): number {
    return this.#averaging;
  }

  set averaging(samples: number) {
    this.#averaging = Math.max(1, Math.min(1000, Math.round(samples) || 1));
    this.redraw();
  }

  /** The values along the line; undefined without an image or a line. */
  get profile(): Profile | undefined {
    return this.#image && this.#line &&
      profileOf(countedPlane(planesOf(this.#image)), this.#line, this.#averaging);
  }

  /** It is on the page: its size is watched. */
  override connectedCallback(): void {
    super.connectedCallback();
    this.#measured.watch();
  }

  /** It has left the page. */
  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#measured.leave();
  }

  /** Draws the values. */
  override draw(): void {
    this.#profile = this.profile;
    const { width, height } = this.#measured.size;
    const values = this.#profile?.values.filter((value) => Number.isFinite(value)) ?? new Float64Array(0);
    const [low, high] = values.length > 0 ? [values.reduce(least), values.reduce(most)] : [0, 1];
    const y = (value: number) =>
      high > low ? height - 4 - (height - 8) * (value - low) / (high - low) : height / 2;
    setAll(this.#curve, { d: pathOf(this.#profile?.values ?? values, width, y) });
    setAll(this.#zero, { d: low < 0 && high > 0 ? `M0 ${y(0)}H${width}` : "" });
    const unit = this.#image?.unit && this.#image.unit !== "1" ? ` ${unitText(this.#image.unit)}` : "";
    setTextOf(this.#high, values.length > 0 ? numberText(high, 4) + unit : "");
    setTextOf(this.#low, values.length > 0 ? numberText(low, 4) + unit : "No values on the line");
    setAll(this.#layer, {
      "aria-label": `Profile along a line, ${values.length} values from ${numberText(low)} to ${
        numberText(high)
      }${unit}`,
    });
    this.#drawTicks(width);
  }

  #drawTicks(width: number): void {
    const { length, unit } = this.#length();
    const ticks = ticksOf(0, length, Math.max(2, width / 72));
    const withUnit = (label: string, i: number) => i === ticks.length - 1 ? `${label} ${unit}` : label;
    setTicks(
      this.#ticks,
      ticks.map(({ value, label }, i) => ({ at: value / length, label: withUnit(label, i) })),
    );
  }

  /** The length of the line, in the unit of the axes if both have the same. */
  #length(): { readonly length: number; readonly unit: string } {
    const [start, stop] = this.#line ?? [[0, 0], [0, 0]];
    const [down, right] = [stop[0] - start[0], stop[1] - start[1]];
    const [y, x] = this.#image?.axes ?? [];
    if (!y || !x || y.unit !== x.unit || !(y.step > 0 && x.step > 0)) {
      return { length: Math.hypot(down, right), unit: "px" };
    }
    return { length: Math.hypot(down * y.step, right * x.step), unit: lengthUnit(y.unit) };
  }

  #point(x: number | undefined): void {
    const values = this.#profile?.values;
    const { width, height } = this.#measured.size;
    const i = x === undefined || !values ? -1 : Math.round(x / width * (values.length - 1));
    const value = values?.[i];
    setAll(this.#hair, {
      d: value === undefined || !values ? "" : `M${i / (values.length - 1) * width} 0V${height}`,
    });
    const { length, unit } = this.#length();
    this.#readout.textContent = value === undefined || !values
      ? ""
      : `${numberText(length * i / (values.length - 1), 4)} ${unit} · ${
        Number.isNaN(value) ? "no value" : numberText(value)
      }`;
  }
}

const least = (a: number, b: number) => Math.min(a, b);
const most = (a: number, b: number) => Math.max(a, b);

/** A line through the values, broken where there is none. */
function pathOf(values: Float64Array, width: number, y: (value: number) => number): string {
  let path = "", isOpen = false;
  values.forEach((value, i) => {
    if (!Number.isFinite(value)) return void (isOpen = false);
    path += `${isOpen ? "L" : "M"}${(i / (values.length - 1) * width).toFixed(2)} ${y(value).toFixed(2)}`;
    isOpen = true;
  });
  return path;
}

define("tw-profile", TwProfile);

declare global {
  interface HTMLElementTagNameMap {
    /** Values along a line. */
    "tw-profile": TwProfile;
  }
}
