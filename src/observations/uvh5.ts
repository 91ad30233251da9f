/**
 * placeholder
 *
 * @module
 */
import type { Observation, ObservationOptions } from "./observation.ts";
/** Opens. */
export function openUvh5(_path: string, _options: ObservationOptions): Promise<Observation> {
  throw new Error("not yet");
}
