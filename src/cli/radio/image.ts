/**
 * `tilewise image`: the dirty image of an observation, as a picture with axes, FITS or npy.
 *
 * @module
 */

import { LOOK_FLAGS } from "../flags/look.ts";
import { COLUMN_FLAG, OBSERVATION_FLAGS } from "../flags/observation_flags.ts";
import { optionFlag } from "../flags/option_flag.ts";
import { NO_MANIFEST, WORK_FLAGS } from "../flags/run_flags.ts";
import { HEADS } from "../shell/heads.ts";
import type { Verb } from "../shell/verb.ts";

/** The verb. */
export const IMAGE: Verb = {
  ...HEADS.image,
  least: 1,
  most: 1,
  flags: [
    {
      name: "output",
      short: "o",
      value: "OUT",
      help: "the image: .png with axes, .fits or .npy with a .png beside it; default image.png",
    },
    {
      name: "pixels",
      value: "N",
      help: "pixels along each side, N or AxB: A in right ascension; default 512",
    },
    {
      name: "cell",
      value: "ANGLE",
      help: "side of a pixel, such as 2asec, 0.1amin, 1deg; default: a quarter of the smallest fringe",
    },
    COLUMN_FLAG,
    {
      name: "correlation",
      option: "correlation",
      value: "NAME",
      help:
        "XX, RR, …, or a Stokes parameter, or several, such as I,Q,U,V: an image of each; default I, or the first one",
    },
    optionFlag("ImagePlanesOptions.bands", "N", { typed: "N, or each: an image of each channel" }),
    optionFlag("DirtyImageOptions.weighting", "NAME", {
      typed: "natural, uniform, or briggs:R, from −2 (nearly uniform) to 2 (nearly natural)",
    }),
    optionFlag("ImagingOptions.epsilon", "NUMBER"),
    optionFlag("ImagingOptions.precision", "NAME"),
    { name: "flat", help: "leave out w: the array counts as flat" },
    ...OBSERVATION_FLAGS,
    ...LOOK_FLAGS.filter(({ name }) => name !== "legend"),
    { name: "no-picture", help: "no picture beside .fits or .npy" },
    NO_MANIFEST,
    ...WORK_FLAGS,
    { name: "dry-run", help: "print the plan and do nothing" },
  ],
  notes: [
    "Right ascension grows to the left, declination upwards; a FITS file has the coordinates of the sky (projection SIN).",
    "Axes of pictures are offsets from the phase centre on the plane of that projection. The image is in Jy per beam: a",
    "point source far from others has its flux at its peak; the beam is the Gaussian of the main lobe of the point spread",
    "function. Several images are the planes of a .fits or .npy: correlations, then bands, without a picture. What is flagged, and antennas with themselves, do not count.",
  ],
  examples: [
    ["tilewise image day.ms", "Stokes I of 512 × 512 pixels, in image.png."],
    ["tilewise image day.ms -o day.fits --pixels 1024 --cell 2asec", "For viewers of FITS files."],
    ["tilewise image model.zarr --correlation XX --weighting uniform -o model.png", "Of what predict wrote."],
    [
      "tilewise image day.ms -o cube.fits --correlation I,Q,U,V --bands 4 --weighting briggs:0",
      "32 images in one cube.",
    ],
    ["tilewise image day.ms --dry-run", "The pixels that follow from the longest baseline."],
  ],
  source: ({ positionals }) => positionals[0],
  writes: (args) => !args.has("dry-run"),
  run: async (args, io) => await (await import("./image_run.ts")).image(args, io), // its help needs none of this
};
