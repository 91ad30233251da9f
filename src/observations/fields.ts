/**
 * Fields as readers find them: directions in a frame, which may be one that is not read.
 *
 * @module
 */

import { defined } from "../options.ts";
import { cannot, type TilewiseError } from "../errors.ts";
import { type Catalogue, converted, FRAMES, type LonLat } from "./meaning/frames.ts";
import type { Field } from "./observation.ts";

/** A field of a source, of which one becomes that of the observation. */
export interface FoundField extends Field {
  /** Why it cannot be that of an observation. */
  readonly problem?: string;
}

/** What is stored of a field. */
interface StoredField {
  /** Its name. */
  readonly name: string;
  /** The frame of its direction. */
  readonly frame: string;
  /** Longitude and latitude in it, in radians. */
  readonly direction: LonLat;
  /** Why its direction is not the same at all times. */
  readonly moves?: string;
}

/** A field, with its direction in an equatorial system. */
export function fieldOf({ name, frame, direction, moves }: StoredField): FoundField {
  const known = FRAMES.get(frame);
  const problem = moves ?? (known ? undefined : unknownFrame(frame));
  const phaseCentre = known ? converted(direction, frame, known.catalogue) : [NaN, NaN] as const;
  return { name, phaseCentre, frame, direction, ...defined({ problem }) };
}

/** What is said of a frame that is not read. */
function unknownFrame(frame: string): string {
  return `its direction is in the frame ${frame}, which is not read: it moves, or is unknown; read are ${
    [...FRAMES.keys()].join(", ")
  }`;
}

/** The equatorial system of `phaseCentre`, in which directions of lists of sources count. */
export function systemOf({ frame }: Field): Catalogue {
  return FRAMES.get(frame ?? "ICRS")?.catalogue ?? "ICRS";
}

/** Frames whose axes differ by less than a tenth of a second of arc. */
const ALIKE = /^(icrs|j2000|fk5)$/i;

/** Frames of baselines that say nothing of directions: such baselines are in the frame of the field. */
const UNSAID = /^(ITRF|ITRS|)$/i;

/**
 * The field of an observation, in the frame of its baselines. Errors: `unsupported` for fields that move, and for frames that
 * are not read, by name.
 */
export function observedField({ problem, ...field }: FoundField, baselines: string, file: string): Field {
  if (problem !== undefined) {
    throw refused(file, `${field.name ? `field "${field.name}"` : "the field"}: ${problem}`);
  }
  const { frame = "ICRS", direction = field.phaseCentre } = field;
  if (!direction.every(Number.isFinite)) {
    throw refused(file, `the direction of the field "${field.name}" is ${direction.join(", ")}`);
  }
  if (UNSAID.test(baselines) || baselines === frame || (ALIKE.test(baselines) && ALIKE.test(frame))) {
    return field;
  }
  if (!FRAMES.has(baselines)) {
    throw refused(
      file,
      `its baselines are in the frame ${baselines}; read are ${[...FRAMES.keys()].join(", ")}`,
    );
  }
  return { ...field, frame: baselines, direction: converted(direction, frame, baselines) };
}

function refused(file: string, problem: string): TilewiseError {
  return cannot("read", file, "unsupported", problem);
}
