/**
 * Analyses and masks by their definitions, pixel by pixel: slow, and obviously right.
 *
 * @module
 */

import { type Case, type Group, type Outcome, type Params, samplesOf } from "./geometry_cases.ts";

type Sig = readonly [height: number, width: number];

/** The weight of each pixel; of complex masks one number for each part. */
type Weight = (y: number, x: number) => number | readonly [re: number, im: number];

/** Numbers among parameters, with a default for those that are not there. */
type Numbers = Readonly<Record<string, number>>;

const square = (y: number, x: number, { cy, cx }: Numbers) => (y - cy!) * (y - cy!) + (x - cx!) * (x - cx!);
const distance = (y: number, x: number, p: Numbers) => Math.sqrt(square(y, x, p));

/** Whether a pixel lies in a disk, its edge included. */
const inDisk = (y: number, x: number, p: Numbers, r: number) => square(y, x, p) <= r * r;

const inRing = (y: number, x: number, p: Numbers) => inDisk(y, x, p, p.ro!) && !inDisk(y, x, p, p.ri!);

function inRectangle(y: number, x: number, p: Numbers): boolean {
  const within = (at: number, from: number, size: number) =>
    size !== 0 && at >= Math.trunc(Math.min(from, from + size)) &&
    at <= Math.trunc(Math.max(from, from + size));
  return p.height !== 0 && p.width !== 0 && within(y, p.y!, p.height!) && within(x, p.x!, p.width!);
}

/** The weight of a ring that fades in and out over one pixel; the pixel at the centre of the innermost one is set. */
function binWeight([height, width]: Sig, y: number, x: number, p: Numbers, bin: number): number {
  const { cy, cx, ri = 0, ro, bins = 1 } = p;
  const [middleY, middleX] = [halfToEven(cy!), halfToEven(cx!)];
  const onFrame = middleY >= 0 && middleY < height && middleX >= 0 && middleX < width;
  if (bin === 0 && ri < 0.5 && onFrame && y === middleY && x === middleX) return 1 - ri;
  const binWidth = (ro! - ri) / bins;
  // How far inside of the nearer border: precise for a middle that is far away, too.
  const inside = Math.min(
    distance(y, x, p) - (ri + bin * binWidth),
    ri + (bin + 1) * binWidth - distance(y, x, p),
  );
  return Math.max(0, Math.min(1, inside + 0.5));
}

function halfToEven(value: number): number {
  const rounded = Math.round(value);
  return Math.abs(value % 1) === 0.5 && rounded % 2 !== 0 ? rounded - 1 : rounded;
}

function cone(y: number, x: number, p: Numbers): number {
  const away = distance(y, x, p);
  return away > 0 && inDisk(y, x, p, p.r!) ? away / p.r! : 0;
}

function coneWithRing(y: number, x: number, p: Numbers): number {
  const { cy, cx, r, ro, delta = 1, stretchY = 1, angle = 0 } = p;
  const [dy, dx] = [y - cy!, x - cx!];
  const along = (dy * Math.cos(angle) - dx * Math.sin(angle)) / stretchY;
  const across = dx * Math.cos(angle) + dy * Math.sin(angle);
  const away = Math.sqrt(along * along + across * across);
  if (away < r! - delta / 2) return away / r!;
  if (away < r! + delta / 2) return (r! - away) / (delta / 2);
  return away <= ro! ? -1 : 0;
}

function count(sig: Sig, is: (y: number, x: number) => boolean): number {
  let pixels = 0;
  for (let y = 0; y < sig[0]; y++) for (let x = 0; x < sig[1]; x++) pixels += is(y, x) ? 1 : 0;
  return pixels;
}

interface Stamp {
  readonly mask: number;
  readonly y: number;
  readonly x: number;
}

/** One mask a number of a stamp: the template's values where it lies, added up where it lies twice. */
function stamped(stamps: readonly Stamp[], value: (dy: number, dx: number) => number): Weight[] {
  const masks = Math.max(...stamps.map(({ mask }) => mask)) + 1;
  return Array.from({ length: masks }, (_, m) => (y, x) => {
    const own = stamps.filter(({ mask }) => mask === m);
    return own.reduce((sum, stamp) => sum + value(y - Math.trunc(stamp.y), x - Math.trunc(stamp.x)), 0);
  });
}

/** The masks of a recipe, without shifts. */
export function masksOf(sig: Sig, params: Params): Weight[] {
  const p = params as Numbers;
  const { stamps, template, make, antialiased, normalize } = params as {
    stamps: Stamp[];
    template: number[][];
    make: string;
    antialiased?: boolean;
    normalize?: boolean;
  };
  const bins = (n: number) => Array.from({ length: n }, (_, b) => b);
  const one = (weight: Weight) => [weight];
  switch (make) {
    case "circular":
      return one((y, x) =>
        antialiased ? binWeight(sig, y, x, { ...p, ro: p.r! }, 0) : +inDisk(y, x, p, p.r!)
      );
    case "ring":
      return one((y, x) => antialiased ? binWeight(sig, y, x, p, 0) : +inRing(y, x, p));
    case "rectangular":
      return one((y, x) => +inRectangle(y, x, p));
    case "radialGradient":
      return one((y, x) => antialiased ? coneWithRing(y, x, { ...p, ro: 0 }) : cone(y, x, p));
    case "radialGradientBackgroundSubtraction":
      return one((y, x) => coneWithRing(y, x, p));
    case "backgroundSubtraction": {
      const inner = count(sig, (y, x) => inDisk(y, x, p, p.ri!));
      const outer = count(sig, (y, x) => inRing(y, x, p));
      return one((y, x) => inDisk(y, x, p, p.ri!) ? 1 : inRing(y, x, p) ? -inner / outer : 0);
    }
    case "gradientX":
      return one((_, x) => x);
    case "gradientY":
      return one((y) => y);
    case "radialBins":
    case "sparseRadialBins":
      return bins(p.bins!).map((b) => {
        let sum = 0;
        for (let y = 0; y < sig[0]; y++) for (let x = 0; x < sig[1]; x++) sum += binWeight(sig, y, x, p, b);
        const divisor = normalize && sum > 1e-8 ? sum : 1;
        return (y, x) => binWeight(sig, y, x, p, b) / divisor;
      });
    case "radialFourierMasks":
      return bins(p.bins!).flatMap((b) => bins(p.maxOrder! + 1).map((o) => wave(sig, p, b, o)));
    case "stampTemplates":
      return stamped(stamps, (dy, dx) => template[dy]?.[dx] ?? 0);
    case "stampDisks":
      return stamped(stamps, (dy, dx) => +(dy * dy + dx * dx <= p.r! * p.r!));
    default:
      throw new Error(`no twin for the mask ${make}`);
  }
}

function wave(sig: Sig, p: Numbers, bin: number, order: number): Weight {
  return (y, x) => {
    const weight = binWeight(sig, y, x, p, bin), angle = order * Math.atan2(y - p.cy!, x - p.cx!);
    return [weight * Math.cos(angle), weight * Math.sin(angle)];
  };
}

/** A mask at larger coordinates for positive shifts; what would come in from outside is 0. */
function moved(weight: Weight, sig: Sig, shift: readonly number[]): Weight {
  const [dy, dx] = shift.map(halfToEven) as [number, number];
  return (y, x) => {
    const inside = y - dy >= 0 && y - dy < sig[0] && x - dx >= 0 && x - dx < sig[1];
    return inside ? weight(y - dy, x - dx) : 0;
  };
}

/** Everything a definition needs: frames as functions. */
interface Frames {
  readonly sig: Sig;
  readonly frames: number;
  readonly at: (f: number, y: number, x: number) => number;
}

function framesOf(group: Group): Frames {
  const { sig, frames } = group;
  const samples = samplesOf(group);
  return { sig, frames, at: (f, y, x) => samples[(f * sig[0] + y) * sig[1] + x]! };
}

/** Sum over all pixels, frame by frame and mask by mask. */
function products(
  { sig, frames, at }: Frames,
  masks: (frame: number) => Weight[],
  complex = false,
): Outcome {
  const values: number[] = [];
  let size = 0;
  for (let f = 0; f < frames; f++) {
    for (const mask of masks(f)) {
      let [re, im, all] = [0, 0, 0];
      for (let y = 0; y < sig[0]; y++) {
        for (let x = 0; x < sig[1]; x++) {
          const weight = mask(y, x);
          const [a, b] = typeof weight === "number" ? [weight, 0] : weight;
          re += at(f, y, x) * a;
          im += at(f, y, x) * b;
          all += Math.abs(at(f, y, x)) * Math.hypot(a, b);
        }
      }
      values.push(...(complex ? [re, im] : [re]));
      size = Math.max(size, all);
    }
  }
  return { values, size };
}

function centres({ sig, frames, at }: Frames, p: Numbers): Outcome {
  const values: number[] = [];
  let size = 0;
  for (let f = 0; f < frames; f++) {
    let [total, sy, sx, all] = [0, 0, 0, 0];
    for (let y = 0; y < sig[0]; y++) {
      for (let x = 0; x < sig[1]; x++) {
        if (p.r !== undefined && !inDisk(y, x, p, p.r)) continue;
        if (p.ri !== undefined && p.ri > 0 && inDisk(y, x, p, p.ri)) continue; // 0 leaves out no pixel
        total += at(f, y, x);
        sy += at(f, y, x) * y;
        sx += at(f, y, x) * x;
        all += Math.abs(at(f, y, x));
      }
    }
    values.push(total === 0 ? p.cy! : sy / total, total === 0 ? p.cx! : sx / total);
    const reach = Math.max(...sig) + Math.abs(p.cy!) + Math.abs(p.cx!);
    size = Math.max(size, total === 0 ? 0 : all / Math.abs(total) * reach);
  }
  return { values, size };
}

function deviations({ sig, frames, at }: Frames, p: Numbers): Outcome {
  const values: number[] = [];
  let size = 1;
  for (let f = 0; f < frames; f++) {
    const chosen: number[] = [];
    for (let y = 0; y < sig[0]; y++) {
      for (let x = 0; x < sig[1]; x++) if (inRing(y, x, p)) chosen.push(at(f, y, x));
    }
    const mean = chosen.reduce((a, b) => a + b, 0) / chosen.length;
    values.push(Math.sqrt(chosen.reduce((sum, v) => sum + (v - mean) ** 2, 0) / chosen.length));
    size = Math.max(size, ...chosen.map((v) => Math.abs(v) + 1));
  }
  return { values, size };
}

/** Magnitudes of one half of the spectrum, in a ring around frequency 0, which is shifted to half the size first. */
function crystallinity({ sig: [height, width], frames, at }: Frames, params: Params): Outcome {
  const p = params as Numbers, real = params.real as Numbers | undefined;
  const middle = { ...p, cy: height * 0.5, cx: width * 0.5 };
  const values: number[] = [];
  let size = 0;
  for (let f = 0; f < frames; f++) {
    let [sum, bins, all] = [0, 0, 0];
    for (let k = 0; k < height; k++) {
      for (let l = 0; l <= Math.floor(width / 2); l++) {
        // Place of a frequency in the shifted ring, by which the ring is chosen.
        if (!inRing((k + Math.ceil(height / 2)) % height, (l + Math.ceil(width / 2)) % width, middle)) {
          continue;
        }
        bins++;
        let [re, im] = [0, 0];
        all = 0;
        for (let y = 0; y < height; y++) {
          for (let x = 0; x < width; x++) {
            if (real && inDisk(y, x, real, real.r!)) continue;
            const turn = 2 * Math.PI * (k * y % height / height + l * x % width / width);
            re += at(f, y, x) * Math.cos(turn);
            im -= at(f, y, x) * Math.sin(turn);
            all += Math.abs(at(f, y, x));
          }
        }
        sum += Math.hypot(re, im);
      }
    }
    values.push(sum);
    size = Math.max(size, all * Math.max(1, bins));
  }
  return { values, size };
}

/** Whether the frame has a pixel of all that a case needs: where it has none, the case is refused. */
export function hasPixels({ udf, params }: Case, sig: Sig): boolean {
  const p = params as Numbers, { make, antialiased } = params as { make?: string; antialiased?: boolean };
  const some = (is: (y: number, x: number) => boolean) => count(sig, is) > 0;
  const weighs = (recipe: Params) =>
    masksOf(sig, recipe).some((mask) => some((y, x) => [mask(y, x)].flat().some((weight) => weight !== 0)));
  const shift = params.shifts as number[] | number[][] | undefined;
  const isFar = (n: number, d: number) =>
    typeof shift?.[d] === "number" && Math.abs(halfToEven(shift[d])) >= n;
  if (sig.some(isFar)) return false;
  switch (make ?? udf) {
    case "disk":
      return some((y, x) => inDisk(y, x, p, p.r!));
    case "circular":
      return antialiased ? weighs(params) : some((y, x) => inDisk(y, x, p, p.r!));
    case "radialGradient": // of a cone, the tip has no weight, and the edge fades
      return some((y, x) => inDisk(y, x, p, p.r!));
    case "annular":
    case "fem":
      return some((y, x) => inRing(y, x, p));
    case "backgroundSubtraction":
      return some((y, x) => inDisk(y, x, p, p.ri!)) && some((y, x) => inRing(y, x, p));
    case "rectangle":
      return some((y, x) => inRectangle(y, x, p));
    case "com":
      return some((y, x) => inDisk(y, x, p, p.r ?? Infinity) && !(p.ri! > 0 && inDisk(y, x, p, p.ri!)));
    case "crystallinity": {
      const middle = { ...p, cy: sig[0] / 2, cx: sig[1] / 2 }, hole = params.real as Numbers | undefined;
      const at = (k: number, n: number) => (k + Math.ceil(n / 2)) % n;
      const half = [sig[0], Math.floor(sig[1] / 2) + 1] as const;
      const ring = count(half, (k, l) => inRing(at(k, sig[0]), at(l, sig[1]), middle)) > 0;
      const inHole = hole ? count(sig, (y, x) => inDisk(y, x, hole, hole.r!)) : 1;
      return ring && inHole > 0 && (!hole || inHole < sig[0] * sig[1]);
    }
    case "radialfourier":
      return weighs({ ...params, make: "radialBins" });
    case "stampTemplates": // none of the template is zero
    case "stampDisks":
      return (params.stamps as Stamp[]).every((stamp) =>
        weighs({ ...params, stamps: [{ ...stamp, mask: 0 }] })
      );
    case "radialFourierMasks":
      return weighs({ ...params, make: "radialBins" });
    case "point":
    case "gradientX":
    case "gradientY":
      return true;
    default:
      return weighs(params);
  }
}

/** What a case gives. */
export function twin({ udf, params }: Case, group: Group): Outcome {
  const data = framesOf(group);
  const { sig } = group, p = params as Numbers;
  const one = (weight: Weight) => products(data, () => [weight]);
  switch (udf) {
    case "radialfourier":
      return products(data, () => masksOf(sig, { ...params, make: "radialFourierMasks" }), true);
    case "fem":
      return deviations(data, p);
    case "crystallinity":
      return crystallinity(data, params);
    case "disk":
      return one((y, x) => +inDisk(y, x, p, p.r!));
    case "annular":
      return one((y, x) => +inRing(y, x, p));
    case "point":
      return one((y, x) => +(y === Math.trunc(p.cy!) + 0 && x === Math.trunc(p.cx!) + 0));
    case "rectangle":
      return one((y, x) => +inRectangle(y, x, p));
    case "com":
      return centres(data, p);
    case "mask": {
      const masks = masksOf(sig, params);
      const shifts = params.shifts as number[] | number[][] | undefined;
      const of = (f: number) => (Array.isArray(shifts![0]) ? shifts![f] : shifts) as number[];
      const at = (f: number) => shifts ? masks.map((mask) => moved(mask, sig, of(f))) : masks;
      return products(data, at, params.make === "radialFourierMasks");
    }
    default:
      throw new Error(`no twin for ${udf}`);
  }
}
