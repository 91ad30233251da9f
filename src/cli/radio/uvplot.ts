/**
 * `tilewise uvplot`: which baselines an observation has, as a picture with axes.
 *
 * @module
 */

import { OBSERVATION_FLAGS } from "../flags/observation_flags.ts";
import { HEADS } from "../shell/heads.ts";
import type { Verb } from "../shell/verb.ts";

/** The verb. */
export const UVPLOT: Verb = {
  ...HEADS.uvplot,
  least: 1,
  most: 1,
  flags: [
    { name: "output", short: "o", value: "OUT", help: "the picture, .png; default uv.png" },
    { name: "unit", value: "NAME", help: "wavelengths, or metres; default wavelengths" },
    { name: "channels", value: "NAME", help: "all, or centre: the one in the middle; default all" },
    { name: "pixels", value: "N", help: "pixels along each side of the plot; default 800" },
    ...OBSERVATION_FLAGS,
  ],
  notes: [
    "Each sample is drawn at u, v and at −u, −v; the colour says how many samples are in a pixel, on a logarithmic scale.",
    "Rows are read in blocks, so that there may be any number of them. Antennas with themselves are left out.",
  ],
  examples: [
    ["tilewise uvplot day.ms", "All channels in wavelengths, in uv.png."],
    ["tilewise uvplot day.ms --unit metres -o baselines.png", "The baselines as they are."],
  ],
  source: ({ positionals }) => positionals[0],
  writes: () => true,
  run: async (args, io) => await (await import("./uvplot_run.ts")).uvplot(args, io), // its help needs none of this
};
