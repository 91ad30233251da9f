/**
 * What the flags of `tilewise image` say.
 *
 * @module
 */

import { defined } from "../../options.ts";
import { TilewiseError } from "../../errors.ts";
import { MOST_PIXELS } from "../../rime/image/grid.ts";
import type { ImageWeighting } from "../../rime/image/weighting.ts";
import { wantsPictures } from "../flags/look.ts";
import { besideKind, isKind } from "../../sinks/registry.ts";
import { type Arguments, UsageError } from "../shell/args.ts";
import { arcs } from "./angles.ts";
import { wordOf } from "./predict_words.ts";

/** Where the image goes, and the picture beside it. */
export function outputsOf(args: Arguments): [out: string, picture?: string] {
  const out = args.text("output") ?? "image.png";
  const kind = (["png", "fits", "npy"] as const).find((id) => isKind(out, id));
  if (!kind) {
    throw new UsageError(`image cannot write ${out}: the name must end with .png, .fits or .npy`);
  }
  return kind === "png" || !wantsPictures(args) ? [out] : [out, besideKind(out, kind, ".png")];
}

/** What the flags say. */
export function askedOf(args: Arguments) {
  const pixels = args.value("pixels", pixelsOf);
  const cell = args.value("cell", arcs);
  const epsilon = args.value("epsilon", numberOf);
  const correlations = args.value(
    "correlation",
    (text) => text.split(",").map((name) => name.trim().toUpperCase()),
  );
  const bands = args.value("bands", bandsOf) ?? 1;
  return {
    grid: defined({ pixels, cell }),
    weighting: args.value("weighting", weightingOf) ?? "natural" as const,
    planes: { ...defined({ correlations }), ...(bands === "each" ? {} : { bands }) },
    options: {
      precision: wordOf(args, "precision", ["f64", "mixed"]),
      wTerm: !args.has("flat"),
      ...defined({ epsilon }),
    },
  };
}

function pixelsOf(text: string): [number, number] {
  const [, nx, ny = nx] = /^\s*(\d+)(?:x(\d+))?\s*$/i.exec(text) ?? [];
  const sides: [number, number] = [Number(nx), Number(ny)];
  if (sides.every((side) => side >= 1 && side <= MOST_PIXELS)) return sides;
  const expected = `write one or two sizes of at most ${MOST_PIXELS}, such as 512 or 1024x512`;
  throw new TilewiseError("invalid", expected, { found: text });
}

function bandsOf(text: string): number | "each" {
  if (text === "each") return text;
  if (/^\d+$/.test(text) && Number(text) > 0) return Number(text);
  throw new TilewiseError("invalid", "write a whole number from 1, or each", { found: text });
}

function weightingOf(text: string): ImageWeighting {
  if (text === "natural" || text === "uniform") return text;
  const [, robust] = /^briggs:([+-]?(?:\d+\.?\d*|\.\d+))$/.exec(text.replace("−", "-")) ?? [];
  const briggs = Number(robust);
  if (Math.abs(briggs) <= 2) return { briggs };
  throw new TilewiseError("invalid", "write natural, uniform or briggs:R with R from -2 to 2", {
    found: text,
  });
}

function numberOf(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && Number.isFinite(value)) return value;
  throw new TilewiseError("invalid", "write a number", { found: text });
}
