/**
 * What the page shows, as plain data: it goes into the address of the page, and every change of it can be undone.
 *
 * @module
 */

/** Row and column. */
export type Position = readonly [y: number, x: number];

/** A region of an image, in samples; the centre of sample 0 is at 0, as in masks and detectors. */
export type Region =
  | { readonly kind: "point"; readonly y: number; readonly x: number }
  | { readonly kind: "disk"; readonly cy: number; readonly cx: number; readonly r: number }
  | {
    readonly kind: "ring";
    readonly cy: number;
    readonly cx: number;
    readonly ri: number;
    readonly ro: number;
  }
  | {
    readonly kind: "rectangle";
    readonly y: number;
    readonly x: number;
    readonly height: number;
    readonly width: number;
  };

/** How values become colours. */
export interface Display {
  /** Name of a colour map, see `COLORMAPS` of `@tilewise/tilewise/results`. */
  readonly colormap: string;
  /** Whether values are shown on a linear or on a logarithmic scale. */
  readonly scale: "linear" | "log";
  /** Exponent applied to the scale from 0 to 1. */
  readonly gamma: number;
  /** Values of the first and of the last colour; absent: percentiles of the image. */
  readonly range?: readonly [low: number, high: number];
  /** Percentiles for the range, if no range is given. */
  readonly percentile: readonly [low: number, high: number];
}

/** How one channel of an image is shown. */
export interface ChannelLook {
  /** Whether it is shown. */
  readonly shown: boolean;
  /** The colour of its largest values, as `rrggbb`; its smallest are black. */
  readonly colour: string;
  /** Values of black and of the colour; absent: percentiles of the image. */
  readonly range?: readonly [low: number, high: number];
}

/** How the channels of an image are shown: each in its colour, all together; or one at a time. */
export type ChannelLooks = readonly ChannelLook[] | "one";

/** Where data come from, as far as an address can say it. */
export type SourceChoice =
  /** A scan that the page makes itself. */
  | { readonly kind: "sample"; readonly name: string }
  /** A file on a server. */
  | { readonly kind: "url"; readonly url: string }
  /** Files of the user, whose contents are not in the address: it has only their names. */
  | { readonly kind: "files"; readonly names: readonly string[] };

/** A source beside the one that is open: a file that was given together with it, by its path, or what this server has. */
export type OtherSource =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "url"; readonly url: string };

/** Facts about a source that its bytes do not have: values of the form, as the user typed them, by option of `open`. */
export type OpenChoices = Readonly<Record<string, string>>;

/** An analysis, with its parameters as they are written on the command line. */
export interface AnalysisChoice {
  /** Its word, such as `centre_of_mass` or `annular_detector`. */
  readonly name: string;
  /** Values by parameter; parameters that are absent have their default. */
  readonly values: Readonly<Record<string, string>>;
}

/** The parts of the page that take turns. */
export const PANELS = ["explore", "pyramid", "compare"] as const;

/** One of them. */
export type PanelName = typeof PANELS[number];

/** Labels that are shown over an image. */
export interface Overlay {
  /** The array that has them, as the source calls it. */
  readonly name: string;
  /** How much of the image they hide, 0 to 1. */
  readonly opacity: number;
  /** Whether only their edges are shown. */
  readonly outline: boolean;
}

/** Objects that are looked for in the image that is shown, after its filters. */
export interface ObjectChoice {
  /** Samples above it are inside of objects; `otsu`: by Otsu's rule. */
  readonly threshold: number | "otsu";
  /** The channel, by its number; absent: the first that is shown. */
  readonly channel?: number;
  /** The object that is chosen, by its number. */
  readonly chosen?: number;
}

/** How an image is shown. */
export interface ImageLooks {
  /** How its channels are shown; absent: as the file says. */
  readonly channels?: ChannelLooks;
  /** The order in which its channels are listed; absent, or not each of them once: that of the file. */
  readonly order?: readonly number[];
  /** The colours of an image without channels; absent: as at the start. */
  readonly scan?: Display;
}

/** Least and largest radius of a lens, in pixels of the screen. */
export const LENS_RADII = [24, 400] as const;

/** A second image beside the first, or over a part of it, with looks of its own. */
export interface SecondImage extends ImageLooks {
  /** Which one: the array, as the source calls it; `before` is the same image without filters; empty: the main one of {@link of}. */
  readonly name: string;
  /** The source that has it; absent: the one that is open. */
  readonly of?: OtherSource;
  /** Where one ends and the other begins, as a part of the width; neither this nor {@link lens}: they stand side by side. */
  readonly wipe?: number;
  /** A circle in which alone it is seen, if there is no line: its middle as parts of the height and width, and its radius in pixels. */
  readonly lens?: readonly [y: number, x: number, radius: number];
}

/** Which part of an image is seen: its centre in samples, and pixels of the screen per sample. */
export interface ShownPart {
  readonly y: number;
  readonly x: number;
  readonly zoom: number;
}

/** How one of the images of Explore is looked at. */
export interface CardView {
  /** Which part of it is seen; absent: all. */
  readonly view?: ShownPart;
  /** The line of its profile; absent: none. */
  readonly line?: readonly [start: Position, stop: Position];
}

/** Everything that the page shows. */
export interface PageState extends ImageLooks {
  /** What is open; absent: the page asks for a file. */
  readonly source?: SourceChoice;
  /** How it was opened. */
  readonly open: OpenChoices;
  /** Which folder of `tilewise view` is listed: its number, and names below it between slashes; absent: what the command was given. */
  readonly folder?: string;
  /** Which part of the page is shown. */
  readonly panel: PanelName;
  /** What is computed. */
  readonly analysis: AnalysisChoice;
  /** Which result of it is shown, and which channel (index) of a result with several images. */
  readonly result?: { readonly name: string; readonly channel?: number };
  /** The position of the scan whose frame is shown; absent: the sum of all frames. */
  readonly position?: Position;
  /** The analysis, and the result of it, in whose place the pattern is seen although it is a frame; absent, or others: none. */
  readonly instead?: string;
  /** Selects positions of the scan: only their frames are computed. */
  readonly roi?: Region;
  /** How the image of the scan is shown. */
  readonly scan: Display;
  /** How the frame is shown. */
  readonly frame: Display;
  /** How the image of the scan, and the frame, are looked at. */
  readonly views: { readonly scan?: CardView; readonly frame?: CardView };
  /** Which part of the image is seen, in samples of level 0; absent: all. */
  readonly look?: ShownPart;
  /** Which image of a stack is shown: positions by the label of the dimension; those that are absent are 0. */
  readonly stack: Readonly<Record<string, number>>;
  /** Labels over the image; absent: none. */
  readonly overlay?: Overlay;
  /** Whether a grid of coordinates lies over images of the sky; absent: no. */
  readonly grid?: boolean;
  /** Filters over the pyramid, as words of `tilewise map`. */
  readonly filters: readonly string[];
  /** Objects in it; absent: none are looked for. */
  readonly objects?: ObjectChoice;
  /** A second image; absent: none. */
  readonly second?: SecondImage;
}

const DISPLAY: Display = { colormap: "auto", scale: "linear", gamma: 1, percentile: [0.5, 99.5] };

/** The page before anything is open. */
export const START: PageState = {
  open: {},
  panel: "explore",
  analysis: { name: "disk_detector", values: {} },
  scan: DISPLAY,
  frame: { ...DISPLAY, colormap: "gray", scale: "log" },
  views: {},
  stack: {},
  filters: [],
};
