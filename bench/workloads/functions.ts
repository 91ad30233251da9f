/**
 * Functions of a frame as users write them; `libertem_workloads.py` has the same in NumPy.
 *
 * @module
 */

/** The brightest sample. */
export function brightest(frame: Float32Array): number {
  let most = -Infinity;
  for (let i = 0; i < frame.length; i++) if (frame[i]! > most) most = frame[i]!;
  return most;
}

/** The sum of the samples above 10. */
export function above(frame: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < frame.length; i++) if (frame[i]! > 10) sum += frame[i]!;
  return sum;
}
