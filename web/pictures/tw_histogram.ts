/**
 * `<tw-histogram>`: how often values occur, and the range of the colours, whose ends can be dragged.
 *
 * @module
 */

/// <reference lib="dom" />
/// <reference lib="dom.iterable" />

import type { Limits } from "../../src/pictures/mod.ts";
import { DrawnImage } from "../draw/drawn.ts";
import { heightsOf } from "../draw/histogram.ts";
import type { Shown } from "../draw/numbers.ts";
import { valueTicks } from "../draw/legend.ts";
import { placeOf } from "../draw/transfer.ts";
import { numberText } from "../draw/words.ts";
import { type Display, START } from "../state/state.ts";
import { HISTOGRAM_STYLE } from "./chart_style.ts";
import { Counting } from "./counting.ts";
import { arrowOf, beginDrag } from "./drag.ts";
import { define, html, PictureElement, setAll, setTicks, svg } from "./element.ts";
import { Measured } from "./measured.ts";

/** Columns around an end that fingers find. */
const TOUCH = 44;

/** Which end of the range. */
type End = 0 | 1;

/** Counts of values with the range of the colours. */
export class TwHistogram extends PictureElement {
  readonly #layer = svg("svg", { role: "group" });
  readonly #bars = svg("path", { class: "bars" });
  readonly #curve = svg("path", { class: "curve" });
  readonly #shades = [svg("rect", { class: "shade" }), svg("rect", { class: "shade" })] as const;
  readonly #limits = [this.#limit(0), this.#limit(1)] as const;
  readonly #chart = html("div", { class: "chart" });
  readonly #ticks = html("div", { class: "ticks", "aria-hidden": "true" });
  readonly #measured = new Measured(this.#chart, () => this.redraw());
  readonly #counting = new Counting(() => this.redraw());
  #drawn: DrawnImage | undefined;
  #display: Display = START.scan;
  #isHeld = false;

  /** An empty histogram. */
  constructor() {
    super(HISTOGRAM_STYLE);
    this.#layer.append(this.#bars, ...this.#shades, this.#curve, ...this.#limits);
    this.#chart.append(this.#layer);
    this.label = "";
    this.#chart.addEventListener("dblclick", () => this.#set(undefined, true));
    this.root.append(this.#chart, this.#ticks);
  }

  /** Whose values they are, if a page has several histograms. */
  set label(label: string) {
    const whose = label === "" ? "" : `${label}: `;
    setAll(this.#layer, { "aria-label": `${whose}Histogram, with the range of the colours` });
    const names = ["Value of the first colour", "Value of the last colour"];
    this.#limits.forEach((limit, end) => setAll(limit, { "aria-label": `${whose}${names[end]}` }));
  }

  /** The image whose values are counted. */
  get image(): Shown | undefined {
    return this.#drawn?.image;
  }

  set image(image: Shown | undefined) {
    this.#drawn = image && new DrawnImage(image);
    this.#counting.begin();
    void this.#counting.count(this.#drawn, this.#display);
    this.redraw();
  }

  /** How values become colours. */
  get display(): Display {
    return this.#display;
  }

  set display(display: Display) {
    this.#display = display;
    if (!this.#isHeld) void this.#counting.count(this.#drawn, display);
    this.redraw();
  }

  /** Values that have been counted; those beside the domain that is shown are not. */
  get counted(): number {
    return this.#counting.extremes ? this.#counting.counts?.total ?? 0 : 0;
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
    this.#counting.stop();
  }

  /** Draws counts and limits. */
  override draw(): void {
    const { counts } = this.#counting;
    const limits = this.#drawn?.limits(this.#display);
    this.#chart.hidden = this.#ticks.hidden = !counts || !limits;
    if (!counts || !limits) return;
    const { width, height } = this.#measured.size;
    setAll(this.#bars, { d: barsPath(counts.counts, width, height) });
    setAll(this.#curve, { d: this.#curvePath(limits, width, height) });
    limits.forEach((_, end) => this.#drawLimit(end as End, limits, width, height));
    const [low, high] = counts.domain;
    const ticks = valueTicks(counts.domain, Math.max(2, width / 72));
    setTicks(this.#ticks, ticks.map(({ value, label }) => ({ at: (value - low) / (high - low), label })));
  }

  #limit(end: End): SVGGElement {
    const parts = [
      svg("rect", { class: "hit" }),
      svg("path", { class: "line" }),
      svg("circle", { class: "grip", r: 6 }),
    ];
    const group = svg("g", { class: "limit", role: "slider", tabindex: 0 }, ...parts);
    group.addEventListener("pointerdown", (event) => this.#press(event, group, end));
    group.addEventListener("keydown", (event) => this.#key(event, end));
    group.addEventListener("keyup", (event) => arrowOf(event) && this.#release());
    group.addEventListener("blur", () => this.#release());
    return group;
  }

  #drawLimit(end: End, limits: Limits, width: number, height: number): void {
    const x = Math.max(0, Math.min(width, this.#placeOf(limits[end], width)));
    const group = this.#limits[end];
    const [hit, line, grip] = [...group.children] as [Element, Element, Element];
    setAll(hit, { x: x - (end === 0 ? TOUCH - 6 : 6), y: 0, width: TOUCH, height });
    setAll(line, { d: `M${x} 0V${height}` });
    setAll(grip, { cx: x, cy: end === 0 ? height - 8 : 8 });
    const shade = end === 0 ? { x: 0, width: x } : { x, width: Math.max(0, width - x) };
    setAll(this.#shades[end], { ...shade, y: 0, height });
    const [least, most] = this.#counting.extremes ?? [0, 1];
    setAll(group, {
      "aria-valuemin": Math.min(least, limits[0]),
      "aria-valuemax": Math.max(most, limits[1]),
      "aria-valuenow": limits[end],
      "aria-valuetext": numberText(limits[end]),
    });
  }

  /** How bright each value is. */
  #curvePath(limits: Limits, width: number, height: number): string {
    const [from, to] = limits.map((limit) => this.#placeOf(limit, width)) as [number, number];
    const points = Array.from({ length: 33 }, (_, i) => {
      const at = placeOf(i / 32, this.#display);
      const x = Math.max(0, Math.min(width, from + (to - from) * i / 32));
      return `${x.toFixed(1)} ${(height * (1 - at)).toFixed(1)}`;
    });
    return `M${points.join("L")}`;
  }

  #placeOf(value: number, width: number): number {
    const [low, high] = this.#domain;
    return high > low ? width * (value - low) / (high - low) : width / 2;
  }

  #press(event: PointerEvent, group: SVGGElement, end: End): void {
    if (event.button !== 0) return;
    event.preventDefault();
    group.focus({ preventScroll: true });
    const before = this.#display;
    const { width } = this.#measured.size;
    const [low, high] = this.#domain;
    this.#isHeld = true;
    beginDrag(event, group, this.#chart, {
      move: ([, x]) => this.#setEnd(end, low + (high - low) * Math.max(0, Math.min(1, x / width)), false),
      end: (cancelled, isClick) => {
        this.#isHeld = false;
        if (cancelled) this.#set(before.range, true);
        else if (!isClick) this.#set(this.#display.range, true);
      },
    });
  }

  #key(event: KeyboardEvent, end: End): void {
    const arrow = arrowOf(event);
    const limits = this.#drawn?.limits(this.#display);
    if (!arrow || !limits) return;
    event.preventDefault();
    const [low, high] = this.#domain;
    this.#isHeld = true;
    this.#setEnd(end, limits[end] + (arrow[1] - arrow[0]) * (high - low) / 100, false);
  }

  #release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#set(this.#display.range, true);
  }

  #setEnd(end: End, value: number, done: boolean): void {
    const limits = this.#drawn?.limits(this.#display);
    if (!limits) return;
    const short = Number(value.toPrecision(6));
    this.#set(
      end === 0 ? [Math.min(short, limits[1]), limits[1]] : [limits[0], Math.max(short, limits[0])],
      done,
    );
  }

  #set(range: Limits | undefined, done: boolean): void {
    const { range: _, ...rest } = this.#display;
    this.display = range ? { ...rest, range } : rest;
    this.tell("display-change", { display: this.#display, done });
  }

  /** The values at both ends of the chart. */
  get #domain(): Limits {
    return this.#counting.counts?.domain ?? [0, 1];
  }
}

function barsPath(counts: Uint32Array, width: number, height: number): string {
  const each = width / counts.length;
  const tops = [...heightsOf(counts)].map((share, i) =>
    `L${(i * each).toFixed(2)} ${(height * (1 - share)).toFixed(1)}h${each.toFixed(2)}`
  );
  return `M0 ${height}${tops.join("")}V${height}Z`;
}

define("tw-histogram", TwHistogram);

declare global {
  interface HTMLElementTagNameMap {
    /** Counts of values. */
    "tw-histogram": TwHistogram;
  }
}
