/**
 * A plan of a cube in words, and in a notebook.
 *
 * @module
 */

import { showAccount } from "../../memory/account.ts";
import { escapeHtml, type MimeBundle } from "../../pictures/displayable.ts";
import { insideOf } from "../../runner/context.ts";
import { formatBytes } from "../../space/size.ts";
import { extentSize } from "../cube/dimension.ts";
import { chunkCount, firstTile } from "../cube/iterate.ts";
import { tableHtml } from "../cube/tables.ts";
import type { FactsOf } from "../../runner/plan.ts";
import type { TilePlan } from "./cube_plan.ts";
import { arraysBytes } from "./tile_bytes.ts";

/** What is told of a plan. */
type PlanFacts = FactsOf<TilePlan>;

/** What `plan.explain()` gives. */
export function explain(plan: PlanFacts): string {
  const { cube, strides, tiles, inFlight, once, each, onceBytes, tileBytes } = plan;
  const cuts = strides.map(([name, n]) => `${n} of ${extentSize(cube.dimension(name))} ${name}`);
  return [
    `${tiles} tiles of ${cuts.join(" × ") || "the whole"}, ${inFlight} in flight, ${computed(plan)}`,
    `${formatBytes(tileBytes)} per tile: ${each.join(", ")}`,
    `${formatBytes(onceBytes)} once: ${once.join(", ") || "nothing"}`,
    `memory: ${showAccount(plan.memory, insideOf(plan.context))}`,
    `${formatBytes(plan.moved)} from sources and to sinks in the run`,
    ...stepText(plan),
  ].join("\n");
}

function computed({ inFlight, context: { workers } }: PlanFacts): string {
  const at = Math.min(inFlight, Math.max(1, workers));
  return `${at} of them computed at a time`;
}

function stepText({ strategy, steps }: PlanFacts): string[] {
  if (strategy === "joint") return [];
  const cuts = steps.map(([name, n]) => `${name} ${n}`).join(", ");
  return [`strategy ${strategy}: ${cuts || "no reduction"}`];
}

/** How a notebook shows a plan: its tiles, its arrays, and the text. */
export function planBundle(plan: PlanFacts): MimeBundle {
  const { cube, strides, once, each } = plan;
  const text = explain(plan);
  const tile = firstTile(cube, strides);
  const rows = (names: readonly string[], held: string) =>
    names.map((
      name,
    ) => [name, tile.arrayShape(name).join(" × "), formatBytes(arraysBytes(tile, [name])), held]);
  const tables = [
    tableHtml({
      title: "Tiles",
      columns: ["dimension", "size", "tile", "parts"],
      rows: strides.map((stride) => {
        const [name, n] = stride;
        return [name, String(extentSize(cube.dimension(name))), String(n), String(chunkCount(cube, stride))];
      }),
    }),
    tableHtml({
      title: "Memory",
      columns: ["array", "shape in a tile", "bytes", "held"],
      rows: [...rows(each, "per tile in flight"), ...rows(once, "once")],
    }),
  ];
  return { "text/plain": text, "text/html": `${tables.join("")}<pre>${escapeHtml(text)}</pre>` };
}
