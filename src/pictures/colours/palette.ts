/**
 * Colours of terminals: 24-bit colours, the 256 colours of xterm, or the 16 basic colours.
 *
 * @module
 */

/** A colour, 0 to 255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

/**
 * The number of colours of a terminal: `true` for 24-bit colours, `false` for none.
 * @category Results
 */
export type Colours = boolean | 16 | 256;

/** Parameters of the escape sequence that sets the colour of the text, or with `back` the colour of the background. */
export function colourCode(colour: Rgb, colours: Exclude<Colours, false>, back = false): string {
  if (colours === true) return `${back ? 48 : 38};2;${colour.join(";")}`;
  if (colours === 256) return `${back ? 48 : 38};5;${nearestOf256(colour)}`;
  const index = nearest(colour, BASIC);
  return String((back ? 40 : 30) + (index < 8 ? index : 60 + index - 8));
}

/** The first 16 colours, as xterm shows them; themes may change them. */
const BASIC: readonly Rgb[] = [
  [0, 0, 0],
  [205, 0, 0],
  [0, 205, 0],
  [205, 205, 0],
  [0, 0, 238],
  [205, 0, 205],
  [0, 205, 205],
  [229, 229, 229],
  [127, 127, 127],
  [255, 0, 0],
  [0, 255, 0],
  [255, 255, 0],
  [92, 92, 255],
  [255, 0, 255],
  [0, 255, 255],
  [255, 255, 255],
];

/** Levels of the cube of 6 × 6 × 6 colours, which starts at index 16; after it follow 24 greys from 8 to 238. */
const LEVELS = [0, 95, 135, 175, 215, 255];

/** The index of the xterm colour nearest to this one, from 16 on, as themes may change the first 16. */
function nearestOf256(colour: Rgb): number {
  const steps = colour.map((value) => nearest([value, 0, 0], LEVELS.map((level) => [level, 0, 0])));
  const [red = 0, green = 0, blue = 0] = steps.map((step) => LEVELS[step]);
  const mean = (colour[0] + colour[1] + colour[2]) / 3;
  const step = Math.max(0, Math.min(23, Math.round((mean - 8) / 10)));
  const grey = 8 + 10 * step;
  return distance(colour, [grey, grey, grey]) < distance(colour, [red, green, blue])
    ? 232 + step
    : 16 + 36 * steps[0]! + 6 * steps[1]! + steps[2]!;
}

function nearest(colour: Rgb, palette: readonly Rgb[]): number {
  const distances = palette.map((other) => distance(colour, other));
  return distances.indexOf(Math.min(...distances));
}

function distance(a: Rgb, b: Rgb): number {
  return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2;
}
