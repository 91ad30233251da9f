/**
 * A small scan of a crystal for tests of commands: disks on a lattice in every frame, strained more from column to column.
 *
 * @module
 */

import { cbedScan } from "../../udf/blobfinder/frames.ts";
import { writeNpy } from "../harness.ts";

/** Rows and columns of the scan. */
export const SCAN = [4, 5] as const;
/** Pixels of a frame along both sides. */
export const SIDE = 96;
/** The vectors of the lattice, y before x; its origin is the middle of the frame. */
export const A = [0, 26] as const;
/** The second one. */
export const B = [25, 0] as const;
/** Radius of the disks. */
export const RADIUS = 6;

/** The extension along x at a position. */
export function extension(position: number): number {
  return 0.01 * (position % SCAN[1] - 2);
}

/** The frames, uint16. */
export function crystalFrames(): Uint16Array {
  const indices = [-1, 0, 1].flatMap((i) => [-1, 0, 1].map((j) => [i, j] as const));
  const spec = { scan: SCAN, side: SIDE, radius: RADIUS, dose: 200, a: A, b: B, indices, seed: 3 };
  return cbedScan(spec, (position) => [1, 0, 0, 1 + extension(position)]);
}

/** The scan as `folder/scan.npy`; its path. */
export async function writeCrystal(folder: string): Promise<string> {
  const frames = crystalFrames();
  await writeNpy(`${folder}/scan.npy`, "<u2", [...SCAN, SIDE, SIDE], new Uint8Array(frames.buffer));
  return `${folder}/scan.npy`;
}

/** A word for each analysis that suits the crystal, where its name alone does not. */
export const WORDS: Readonly<Record<string, string>> = {
  pixel_values: "pixel_values:at=48:48;10:20",
  apply_masks: "apply_masks:make=radialBins,bins=4,normalize=true",
  radial_fourier: "radial_fourier:ri=4,ro=20,bins=2,maxOrder=6",
  cluster_frames: "cluster_frames:n=3,features=4,ri=16,ro=48",
  crystallinity: "crystallinity:ri=2,ro=8,cy=48,cx=48,r=8",
  fft_of_sum: "fft_of_sum:cy=48,cx=48,r=8",
  correlate_pattern: "correlate_pattern:radius=6,peaks=48:48;48:74,upsample=true",
  refine_lattice: "refine_lattice:radius=6,zero=48:48,a=0:26,b=25:0",
  strain_map: "strain_map:radius=6",
  feature_vector: "feature_vector:radius=6,zero=48:48,a=0:26,b=25:0",
  expression: "expression:bright=count(x > t);image=frames.mean(x);t=100",
};
