/**
 * The style of `<tw-image>`.
 *
 * @module
 */

/** Its style sheet. */
export const IMAGE_STYLE = `
:host {
  display: flex; flex-direction: column; gap: var(--gap, 4px);
  min-width: 0; min-height: 0; font: 13px/1.4 var(--sans, system-ui, sans-serif); color: var(--ink, CanvasText);
}
:host([hidden]), [hidden] { display: none !important; }
.caption { display: flex; justify-content: space-between; gap: 12px; height: 20px; line-height: 20px; white-space: nowrap; }
.caption span { overflow: hidden; text-overflow: ellipsis; }
.title { display: var(--title-display, inline); font-weight: 600; min-width: 30%; flex: 0 1 auto; }
.readout { font-family: var(--mono, monospace); font-size: 12px; color: var(--ink-2, CanvasText); font-variant-numeric: tabular-nums; }
.readout:empty { display: none; }
.stage {
  position: relative; flex: 1 1 auto; min-height: 128px; aspect-ratio: 1; overflow: hidden;
  background: var(--sunken, var(--surface, Canvas)); border: 1px solid var(--line, GrayText); border-radius: var(--radius, 6px);
  cursor: crosshair; user-select: none; -webkit-user-select: none;
}
.stage.wide { aspect-ratio: auto; min-height: 240px; cursor: grab; }
.stage.wide:active { cursor: grabbing; }
.loading {
  position: absolute; top: 8px; left: 8px; padding: 2px 8px; border-radius: 4px; background: #0009; color: #fff;
  font-size: 12px; pointer-events: none;
}
.loading:empty { display: none; }
.stage:focus-visible { outline: 2px solid var(--focus, Highlight); outline-offset: 2px; }
.canvas, canvas, .overlay { position: absolute; inset: 0; width: 100%; height: 100%; display: block; }
.canvas canvas { image-rendering: pixelated; }
.labels { pointer-events: none; }
.overlay { overflow: hidden; touch-action: none; pointer-events: none; }
.missing {
  position: absolute; top: 0; left: 0; transform-origin: 0 0; pointer-events: none;
  background: var(--line-2, #8886); /* not in the gradient: there, browsers lose colours of light-dark() */
  mask: repeating-linear-gradient(135deg, transparent 0 5px, #000 5px 6px);
}
:host([empty]) .missing, :host([empty]) .overlay, :host([empty]) .scale-bar, :host([empty]) .wheel,
:host([empty]) .colour-bar { display: none; }
.region path { fill: none; pointer-events: none; }
.region .casing { stroke: #000a; stroke-width: 3.5px; }
.region .line { stroke: #fff; stroke-width: 1.5px; }
.region .body { pointer-events: fill; fill: #fff; fill-opacity: 0; cursor: move; touch-action: none; }
.region:hover .body, .region:focus-within .body { fill-opacity: .08; }
.region:focus-within .line { stroke: var(--accent, #2dd4bf); }
.region .edge { pointer-events: stroke; stroke: transparent; stroke-width: 20px; cursor: pointer; touch-action: none; }
.handle { pointer-events: all; cursor: grab; touch-action: none; outline: none; }
.handle:active { cursor: grabbing; }
.handle .hit { fill: transparent; }
.handle .dot { fill: #fff; stroke: #000c; stroke-width: 1.5px; }
.handle:hover .dot { fill: var(--accent, #2dd4bf); }
.handle:focus-visible .dot { fill: var(--accent, #2dd4bf); stroke: #fff; stroke-width: 2.5px; }
.handle:focus-visible .hit { stroke: var(--focus, Highlight); stroke-width: 2px; }
.dots .line { stroke-width: 1px; }
.dots .casing { stroke-width: 2.5px; opacity: .6; }
.sky .grid path { stroke-width: 1px; opacity: .55; }
.sky .grid .casing { stroke-width: 2.5px; opacity: .3; }
.sky .chosen path { stroke: #2dd4bf; stroke-width: 3px; }
.sky .corner { fill: #fff9; stroke: #000; }
.sky-text { fill: #fff; stroke: #000c; stroke-width: 3px; paint-order: stroke; font: 600 11px var(--sans, system-ui, sans-serif); }
.region.arrow .region-title { opacity: 1; }
.region.arrow .body { fill-opacity: .9; }
@media (pointer: coarse) { .handle .hit { r: 22px; } .region .edge { stroke-width: 44px; } }
.cross-hair .casing { stroke-width: 2.5px; opacity: .5; }
.cross-hair .line { stroke-width: 1px; opacity: .9; }
.region-title {
  fill: #fff; stroke: #000a; stroke-width: 3px; paint-order: stroke; font: 600 12px var(--sans, system-ui, sans-serif);
  text-anchor: middle; opacity: 0; pointer-events: none;
}
.region:hover .region-title, .region:focus-within .region-title { opacity: 1; }
.scale-bar, .wheel {
  position: absolute; bottom: 8px; padding: 3px 6px 5px; border-radius: 4px; pointer-events: none;
  background: #17222ad9; color: #fff; font-size: 12px; text-align: center; box-shadow: 0 0 0 1px #fff3; font-variant-numeric: tabular-nums;
}
.scale-bar, .wheel { forced-color-adjust: none; }
.scale-bar { left: 8px; }
.scale-bar .bar { height: 3px; min-width: 2px; background: #fff; }
.wheel { right: 8px; }
.wheel canvas { position: static; width: 48px; height: 48px; margin: 2px auto; }
.colour-bar { display: var(--bars, flex); gap: 8px; align-items: start; padding: 2px 12px 0; }
.colour-bar .scale { flex: 1; position: relative; height: 30px; }
.colour-bar .strip { position: static; width: 100%; height: 10px; border-radius: 2px; image-rendering: pixelated; }
.ticks span {
  position: absolute; top: 12px; transform: translateX(-50%); white-space: nowrap; font-size: 11px;
  color: var(--ink-2, CanvasText); font-variant-numeric: tabular-nums;
}
.names { display: flex; flex-wrap: wrap; gap: 2px 12px; margin: 0; padding: 0 0 4px; list-style: none; font-size: 12px; max-height: 64px; overflow: auto; }
.names .swatch { display: inline-block; width: 10px; height: 10px; margin-right: 4px; border-radius: 2px; forced-color-adjust: none; }
.unit { font-size: 11px; color: var(--ink-2, CanvasText); margin-top: -3px; }
`;
