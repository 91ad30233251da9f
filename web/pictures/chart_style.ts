/**
 * The style of elements with charts and controls: `<tw-histogram>`, `<tw-profile>`, `<tw-colours>`.
 *
 * @module
 */

const COMMON = `
:host { display: block; min-width: 0; font: 13px/1.4 var(--sans, system-ui, sans-serif); color: var(--ink, CanvasText); }
:host([hidden]), [hidden] { display: none !important; }
.chart { position: relative; height: var(--chart-height, 88px); border-bottom: 1px solid var(--line, GrayText); }
.chart svg { position: absolute; inset: 0; width: 100%; height: 100%; display: block; overflow: visible; }
.ticks { position: relative; height: 18px; }
.ticks span, .row span {
  font-size: 11px; color: var(--ink-2, CanvasText); font-variant-numeric: tabular-nums; white-space: nowrap;
}
.ticks span { position: absolute; transform: translateX(-50%); top: 2px; }
.row { display: flex; justify-content: space-between; gap: 8px; }
`;

/** Of the histogram. */
export const HISTOGRAM_STYLE = `${COMMON}
.chart { touch-action: pan-y; }
.bars { fill: var(--ink-2, CanvasText); opacity: .55; }
.curve { fill: none; stroke: var(--accent, #0d9488); stroke-width: 1.5px; opacity: .8; }
.shade { fill: var(--ground, Canvas); opacity: .6; }
.limit { cursor: ew-resize; touch-action: none; outline: none; }
.limit .hit { fill: transparent; }
.limit .line { stroke: var(--accent, #0d9488); stroke-width: 2px; }
.limit .grip { fill: var(--accent, #0d9488); stroke: var(--ground, Canvas); stroke-width: 1.5px; }
.limit:focus-visible .grip { stroke: var(--focus, Highlight); stroke-width: 3px; }
`;

/** Of the profile. */
export const PROFILE_STYLE = `${COMMON}
.curve { fill: none; stroke: var(--accent, #0d9488); stroke-width: 1.5px; }
.zero { stroke: var(--line, GrayText); stroke-dasharray: 3 3; }
.hair { stroke: var(--ink-2, CanvasText); }
`;

/** Of the choice of colours. */
export const COLOURS_STYLE = `${COMMON}
:host { display: grid; gap: 8px; }
fieldset { border: 0; margin: 0; padding: 0; min-width: 0; display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; }
legend { float: left; min-width: 64px; padding: 0; color: var(--ink-2, CanvasText); }
label { display: inline-flex; align-items: center; gap: 6px; min-height: 24px; cursor: pointer; }
input { accent-color: var(--accent, #0d9488); margin: 0; }
input:focus-visible, summary:focus-visible { outline: 2px solid var(--focus, Highlight); outline-offset: 2px; }
input[type=range] { width: 120px; }
details { border: 1px solid var(--line, GrayText); border-radius: var(--radius, 6px); background: var(--raised, Canvas); }
summary { display: flex; align-items: center; gap: 8px; padding: 4px 8px; cursor: pointer; min-height: 24px; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::after { content: ""; margin-left: auto; border: 4px solid transparent; border-top-color: currentColor; translate: 0 2px; }
details[open] summary::after { rotate: 180deg; translate: 0 -2px; }
canvas { width: 96px; height: 14px; border-radius: 3px; image-rendering: pixelated; flex: none; }
.maps { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 0 8px; padding: 4px 8px 8px; }
.maps p { grid-column: 1 / -1; margin: 6px 0 2px; font: inherit; font-size: 11px; color: var(--ink-2, CanvasText); }
.number { font-family: var(--mono, monospace); font-size: 12px; min-width: 3ch; }
select {
  font: inherit; color: inherit; background: var(--raised, Canvas); border: 1px solid var(--line, GrayText);
  border-radius: var(--radius, 6px); min-height: 28px; padding: 0 4px;
}
`;
