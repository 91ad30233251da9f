/**
 * Icons: strokes in a square of 16, in the colour of the text.
 *
 * @module
 */

/// <reference lib="dom" />

/** Paths by name. */
const PATHS = {
  open: "M2 12.5V4.5a1 1 0 0 1 1-1h3.2l1.6 2H13a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1Z",
  undo: "M6.5 3.5 3 7l3.5 3.5M3.5 7H10a3 3 0 0 1 0 6H7",
  redo: "M9.5 3.5 13 7l-3.5 3.5M12.5 7H6a3 3 0 0 0 0 6h3",
  light:
    "M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6ZM8 1.5v1.3M8 13.2v1.3M1.5 8h1.3M13.2 8h1.3M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9",
  dark: "M13.2 9.6A5.7 5.7 0 0 1 6.4 2.8a5.7 5.7 0 1 0 6.8 6.8Z",
  auto: "M8 2.2a5.8 5.8 0 1 0 0 11.6V2.2ZM8 2.2a5.8 5.8 0 0 1 0 11.6",
  help: "M5.9 6a2.1 2.1 0 1 1 3.2 1.8c-.7.4-1.1.8-1.1 1.6M8 12v.1",
  close: "M4 4l8 8M12 4l-8 8",
  share:
    "M6.8 9.2 9.2 6.8M7.2 4.8l1.3-1.3a2.8 2.8 0 0 1 4 4L11.2 8.8M8.8 11.2l-1.3 1.3a2.8 2.8 0 0 1-4-4l1.3-1.3",
  colours: "M2.5 4.5h11M2.5 8h11M2.5 11.5h11M6 3v3M10.5 6.5v3M4.5 10v3",
  line: "M3 13 13 3M2 13h2M12 3h2",
  region:
    "M2.5 5V3.5a1 1 0 0 1 1-1H5M11 2.5h1.5a1 1 0 0 1 1 1V5M13.5 11v1.5a1 1 0 0 1-1 1H11M5 13.5H3.5a1 1 0 0 1-1-1V11",
  sum: "M11.5 4.5v-1h-7L8.5 8l-4 4.5h7v-1",
  info: "M8 7.2v4M8 4.8v.1M8 14A6 6 0 1 0 8 2a6 6 0 0 0 0 12Z",
  warning: "M8 2.5 14.2 13H1.8L8 2.5ZM8 6.5v3M8 11.3v.1",
  stop: "M4.5 4.5h7v7h-7z",
  file: "M4 1.5h5L12.5 5v9.5h-8.5zM9 1.5V5h3.5",
  play: "M5 3.5v9l7-4.5Z",
  grip: "M6 4v.1M10 4v.1M6 8v.1M10 8v.1M6 12v.1M10 12v.1",
  chevron: "M4 6.5 8 10l4-3.5",
} as const;

/** The name of an icon. */
export type IconName = keyof typeof PATHS;

const SVG = "http://www.w3.org/2000/svg";

/** The icon, hidden from readers of the screen: the button around it has the name. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  for (
    const [key, value] of [["viewBox", "0 0 16 16"], ["class", "icon"], ["aria-hidden", "true"]] as const
  ) {
    svg.setAttribute(key, value);
  }
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
