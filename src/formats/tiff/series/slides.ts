/**
 * Facts that scanners of slides write into the description of the first image: Aperio (SVS), Philips.
 *
 * ```
 * Aperio Image Library v11.2.1 …|AppMag = 20|MPP = 0.4990|Date = 12/29/09|Time = 09:59:15|…
 * ```
 *
 * @module
 */

import { known } from "../../../dataset/facts.ts";
import { DIMENSIONS, type MemberFacts, NO_FACTS } from "./members.ts";
import { spacingsOf } from "./padded.ts";

/** Whether a description is one of Aperio. */
export function isAperio(description: string): boolean {
  return description.startsWith("Aperio");
}

/** The facts of a slide with `samples` samples per pixel. */
export function aperioFacts(description: string, samples: number): MemberFacts {
  const [title = "", ...fields] = description.split("|");
  const facts = Object.fromEntries(fields.flatMap((field) => {
    const [name, value] = field.split("=").map((part) => part.trim());
    return name && value !== undefined ? [[name, value]] : [];
  }));
  const scaled = facts.MPP === undefined ? {} : { scale: Number(facts.MPP), unit: "µm" };
  return {
    ...NO_FACTS,
    axes: [{ name: "y", ...scaled }, { name: "x", ...scaled }, ...(samples > 1 ? [DIMENSIONS["S"]!] : [])],
    instrument: known({
      magnification: Number(facts.AppMag ?? NaN),
      acquired: acquired(facts.Date, facts.Time),
      detector: facts["ScanScope ID"],
    }),
    metadata: { metadata: "Aperio", description: title.trim(), aperio: facts },
  };
}

/** Whether a description is one of Philips. */
export function isPhilips(description: string): boolean {
  return description.includes('ObjectType="DPUfsImport"');
}

/** The facts of a slide of Philips with `samples` samples per pixel. */
export function philipsFacts(description: string, samples: number): MemberFacts {
  const [spacing] = spacingsOf(description);
  const scaled = (step: number | undefined) => step === undefined ? {} : { scale: step * MICRO, unit: "µm" };
  return {
    ...NO_FACTS,
    axes: [
      { name: "y", ...scaled(spacing?.[0]) },
      { name: "x", ...scaled(spacing?.[1]) },
      ...(samples > 1 ? [DIMENSIONS["S"]!] : []),
    ],
    metadata: { metadata: "Philips" },
  };
}

/** Micrometres in a millimetre. */
const MICRO = 1000;

/** `12/29/09` and `09:59:15` as ISO 8601; none where the order of day and month is not sure. */
function acquired(date: string = "", time: string = ""): string | undefined {
  const [, month, day, year] = /^(\d{2})\/(\d{2})\/(\d{2})$/.exec(date) ?? [];
  return year === undefined || Number(day) <= 12 || !/^\d{2}:\d{2}:\d{2}$/.test(time)
    ? undefined
    : `20${year}-${month}-${day}T${time}`;
}
