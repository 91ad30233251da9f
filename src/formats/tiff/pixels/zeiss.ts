/**
 * Images of scanning electron microscopes of Zeiss: a text in tag 34118, whose first lines are numbers without names, and whose
 * others are pairs of a key and what is shown.
 *
 * ```
 * 0 ⏎ 0 ⏎ 0 ⏎ 5.824988e-009 ⏎ …        the fourth: metres per pixel of an image of 1024 columns
 * AP_MAG ⏎ Mag = 50.00 K X
 * ```
 *
 * @module
 */

import { known } from "../../../dataset/facts.ts";
import { TAG } from "../container/tags.ts";
import { type Described, type Pixels, squareAxes } from "./axes.ts";

/** Bytes of the text that are read. */
const MOST_TEXT = 2 ** 18;
/** The line with the step of pixels, and the columns that an image of this step has. */
const STEP_LINE = 3, STEP_COLUMNS = 1024;

/** The pixels of an image of Zeiss. */
export async function zeissPixels({ directory, facts }: Described): Promise<Pixels> {
  const lines = (await directory.text(TAG.zeissSem, MOST_TEXT)).split(/\r?\n/);
  const step = Number(lines[STEP_LINE] || NaN) * STEP_COLUMNS / facts.width;
  const shown = (key: string): string => {
    const at = lines.indexOf(key);
    return at < 0 ? "" : (lines[at + 1] ?? "").split("=")[1]?.trim() ?? "";
  };
  const [, kilovolts] = /^([\d.]+)\s*kV$/i.exec(shown("AP_ACTUALKV")) ?? [];
  const [, times, thousand] = /^([\d.]+)\s*(K)?\s*X$/i.exec(shown("AP_MAG")) ?? [];
  return {
    axes: squareAxes(step, step, "m"),
    instrument: known({
      voltage: Number(kilovolts ?? NaN) * 1000,
      magnification: Number(times ?? NaN) * (thousand ? 1000 : 1),
      detector: shown("DP_DETECTOR_TYPE"),
    }),
    metadata: { metadata: "Zeiss SEM" },
  };
}
