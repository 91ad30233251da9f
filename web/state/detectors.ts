/**
 * The detector of an analysis as a region of the pattern, and back: handles and forms change the same parameters.
 *
 * @module
 */

import type { AnalysisChoice, Region } from "./state.ts";

/** Height and width of a frame. */
type Size = readonly [height: number, width: number];

/** How an analysis places its detector, and the defaults of its parameters; they are those of the table of analyses. */
interface Placement {
  readonly kind: Region["kind"];
  /** Names of the radii: of a disk `[r]`, of a ring `[inner, outer]`. */
  readonly radii: readonly string[];
  /** Values of the radii that are not given; `undefined`: without one there is only a centre. */
  readonly usual: (
    half: number,
    given: (name: string) => number | undefined,
  ) => readonly (number | undefined)[];
  /** Whether the default centre is a whole number. */
  readonly whole?: boolean;
  /** Whether there is no detector unless its centre is given. */
  readonly given?: boolean;
}

/** Radius of the bright disk where none is given, in half sides. */
const BRIGHT = 0.3;

const disk = (share: number): Placement => ({
  kind: "disk",
  radii: ["r"],
  usual: (half) => [Math.max(share * half, Math.SQRT1_2)], // a pixel is left in the smallest frames
});
const ring: Placement = {
  kind: "ring",
  radii: ["ri", "ro"],
  usual: (half, given) => [0.8 * (given("ro") ?? half), half],
};
const around = (inner: number, outer?: number): Placement => ({
  kind: "ring",
  radii: ["ri", "ro"],
  usual: (half, given) => {
    const bright = given("r") ?? BRIGHT * half;
    return [inner * bright, outer === undefined ? half : outer * bright];
  },
});
const hole: Placement = { kind: "disk", radii: ["r"], usual: () => [undefined], given: true };

/** By analysis. */
const PLACEMENTS: Readonly<Record<string, Placement>> = {
  bf: disk(BRIGHT),
  abf: around(0.5, 1),
  adf: around(1),
  haadf: around(2),
  disk_detector: disk(BRIGHT),
  annular_detector: ring,
  fluctuation: ring,
  point_detector: { kind: "point", radii: [], usual: () => [] },
  rectangular_detector: { kind: "rectangle", radii: [], usual: () => [] },
  centre_of_mass: { kind: "disk", radii: ["r"], usual: () => [undefined], whole: true },
  radial_fourier: { kind: "ring", radii: ["ri", "ro"], usual: () => [0, undefined] },
  crystallinity: hole,
  fft_of_sum: hole,
  fft_of_frames: hole,
};

/** The analyses that are a detector and nothing else, with what a button calls them. */
export const DETECTORS = [
  ["disk_detector", "Disk"],
  ["annular_detector", "Ring"],
  ["rectangular_detector", "Rectangle"],
  ["point_detector", "Point"],
] as const;

/** The region that the analysis looks at; `undefined`: all of the pattern, or none that can be drawn. */
export function detectorOf({ name, values }: AnalysisChoice, [height, width]: Size): Region | undefined {
  const placement = Object.hasOwn(PLACEMENTS, name) ? PLACEMENTS[name] : undefined;
  if (!placement) return undefined;
  const given = (key: string) => numberOf(values[key]);
  if (placement.kind === "rectangle") return rectangleOf(given, [height, width]);
  if (placement.given && (given("cy") === undefined || given("cx") === undefined)) return undefined;
  const half = (size: number) => placement.whole ? Math.floor(size / 2) : size / 2;
  const [cy, cx] = [given("cy") ?? half(height), given("cx") ?? half(width)];
  const usual = placement.usual(Math.min(height, width) / 2, given);
  const radii = placement.radii.map((key, i) => given(key) ?? usual[i]);
  const [first, second] = radii;
  if (placement.kind === "disk" && first !== undefined) return { kind: "disk", cy, cx, r: first };
  if (placement.kind === "ring" && first !== undefined && second !== undefined) {
    return { kind: "ring", cy, cx, ri: first, ro: second };
  }
  return { kind: "point", y: cy, x: cx };
}

function rectangleOf(given: (key: string) => number | undefined, [height, width]: Size): Region {
  return {
    kind: "rectangle",
    y: given("y") ?? Math.floor(height / 4),
    x: given("x") ?? Math.floor(width / 4),
    height: given("height") ?? Math.ceil(height / 2) - 1,
    width: given("width") ?? Math.ceil(width / 2) - 1,
  };
}

/** What the parameters of the detector are, also those that nobody has given, as text. */
export function placeOf(choice: AnalysisChoice, size: Size): Readonly<Record<string, string>> {
  const region = detectorOf(choice, size);
  if (!region) return {};
  return region.kind === "point" ? { cy: short(region.y), cx: short(region.x) } : valuesOf(region);
}

/** The analysis with its detector where the region is. */
export function withDetector(choice: AnalysisChoice, region: Region): AnalysisChoice {
  return { ...choice, values: { ...choice.values, ...valuesOf(region) } };
}

function valuesOf(region: Region): Record<string, string> {
  switch (region.kind) {
    case "point":
      return { cy: short(region.y), cx: short(region.x) };
    case "disk":
      return { cy: short(region.cy), cx: short(region.cx), r: short(region.r) };
    case "ring":
      return { cy: short(region.cy), cx: short(region.cx), ri: short(region.ri), ro: short(region.ro) };
    case "rectangle":
      return {
        y: short(Math.round(region.y)),
        x: short(Math.round(region.x)),
        height: short(Math.round(region.height)),
        width: short(Math.round(region.width)),
      };
  }
}

/** Another detector at the same place: the centre stays, the sizes are the usual ones of that kind. */
export function changeDetector(choice: AnalysisChoice, name: string, size: Size): AnalysisChoice {
  const region = detectorOf(choice, size);
  if (!region) return { name, values: {} };
  const [cy, cx] = centreOf(region);
  if (name !== "rectangular_detector") return { name, values: { cy: short(cy), cx: short(cx) } };
  const usual = rectangleOf(() => undefined, size);
  if (usual.kind !== "rectangle") return { name, values: {} };
  return withDetector({ name, values: {} }, { ...usual, y: cy - usual.height / 2, x: cx - usual.width / 2 });
}

/** The middle of a region. */
export function centreOf(region: Region): readonly [y: number, x: number] {
  if (region.kind === "point") return [region.y, region.x];
  if (region.kind === "rectangle") return [region.y + region.height / 2, region.x + region.width / 2];
  return [region.cy, region.cx];
}

/** A length in an address or a form: tenths of a pixel are enough. */
function short(value: number): string {
  return `${Number(value.toFixed(1)) + 0}`;
}

function numberOf(text: string | undefined): number | undefined {
  if (text === undefined || text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
