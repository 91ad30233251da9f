/**
 * Values with which analyses begin: where the bright disk is, and what shows at once what they do.
 *
 * @module
 */

import type { Disk } from "../../draw/bright_disk.ts";

type Values = Readonly<Record<string, string>>;

/** Values for frames of a size, with a bright disk if it is known; none for analyses that begin with their defaults. */
export function startValues(name: string, [height, width]: readonly [number, number], disk?: Disk): Values {
  const side = Math.min(height, width);
  const others: Readonly<Record<string, Values>> = {
    apply_masks: { make: "radialBins", bins: "10" },
    cluster_frames: { n: "4" },
    crystallinity: { ri: text(Math.round(side / 16)), ro: text(Math.round(side / 4)) },
    pixel_values: { at: `${Math.floor(height / 2)}:${Math.floor(width / 2)}` },
    expression: { value: "sum(x)" },
  };
  return others[name] ?? (disk ? aroundDisk(name, disk, side / 2) : {});
}

function aroundDisk(name: string, { cy, cx, r }: Disk, half: number): Values {
  const centre = { cy: text(cy), cx: text(cx) };
  switch (name) {
    case "bf":
    case "abf":
    case "adf":
    case "haadf":
    case "disk_detector":
      return { ...centre, r: text(r) };
    case "centre_of_mass":
      return { ...centre, r: text(1.5 * r) }; // room for deflections
    case "annular_detector":
      return { ...centre, ri: text(r), ro: text(Math.max(2 * r, half)) };
    case "radial_fourier":
    case "point_detector":
      return centre;
    case "rectangular_detector":
      return { y: round(cy - r), x: round(cx - r), height: round(2 * r), width: round(2 * r) };
    case "correlate_pattern":
    case "refine_lattice":
    case "strain_map":
    case "feature_vector":
      return { radius: text(r) };
    default:
      return {};
  }
}

/** A length in an address or a form: tenths of a pixel are enough. */
function text(value: number): string {
  return `${Number(value.toFixed(1)) + 0}`;
}

function round(value: number): string {
  return text(Math.max(0, Math.round(value)));
}
