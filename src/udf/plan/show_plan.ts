/**
 * Shows plans in a notebook.
 *
 * @module
 */

import { escapeHtml, type MimeBundle } from "../../pictures/displayable.ts";
import { formatBytes } from "../../space/size.ts";
import type { FactsOf } from "../../runner/plan.ts";
import type { UdfPlan } from "./plan_facts.ts";

/** A plan in a notebook: how frames are cut, what will be read and held, and why. */
export function planBundle(plan: FactsOf<UdfPlan>, text: string): MimeBundle {
  const { scheme, bytesToRead, partitions, memory } = plan;
  const facts = [
    `${formatBytes(bytesToRead)} to read`,
    `at most ${formatBytes(memory.total)} of ${formatBytes(plan.context.memory)} held`,
    `${partitions.length} partitions on ${memory.workers || "no"} workers`,
    `tiles of ${scheme.depth} frames`,
  ];
  return {
    "text/plain": text,
    "text/html": `<div style="display:flex;gap:12px">${tilePicture(plan)}<div>${
      facts.map((fact) => `<div>${escapeHtml(fact)}</div>`).join("")
    }<pre>${escapeHtml(text)}</pre></div></div>`,
  };
}

/** Side of the picture of a frame, in pixels. */
const SIDE = 128;

/** Largest number of parts of a frame that are drawn; more lines would fill the picture. */
const MOST_PARTS = 256;

/** Picture of a frame and how it is cut into tiles. */
function tilePicture({ dataset, scheme }: Pick<UdfPlan, "dataset" | "scheme">): string {
  const { sigShape } = dataset;
  const [height, width] = sigShape.length < 2
    ? [1, sigShape[0] ?? 1]
    : sigShape.slice(-2) as [number, number];
  const scale = SIDE / Math.max(height, width);
  const boxes = scheme.slices.slice(0, MOST_PARTS).map(({ origin, shape }) => {
    const [y, x] = origin.length < 2 ? [0, origin[0] ?? 0] : origin.slice(-2) as [number, number];
    const [h, w] = shape.length < 2 ? [1, shape[0] ?? 1] : shape.slice(-2) as [number, number];
    return `<rect x="${x * scale}" y="${y * scale}" width="${w * scale}" height="${h * scale}"/>`;
  });
  const label = `a frame of ${height} by ${width} in ${scheme.slices.length} parts`;
  return `<svg width="${width * scale + 2}" height="${
    height * scale + 2
  }" role="img" aria-label="${label}" ` +
    `fill="none" stroke="currentColor">${boxes.join("")}</svg>`;
}
