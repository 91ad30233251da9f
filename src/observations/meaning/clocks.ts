/**
 * Scales of time: what is stored in others becomes UTC.
 *
 * Source: IERS Bulletin C, the days on which TAI − UTC changed.
 *
 * @module
 */

/** Modified Julian dates from which on TAI − UTC is 10 s, 11 s, …. */
const LEAPS: readonly number[] = [
  ...[41317, 41499, 41683, 42048, 42413, 42778, 43144, 43509, 43874, 44239, 44786, 45151, 45516, 46247],
  ...[47161, 47892, 48257, 48804, 49169, 49534, 50083, 50630, 51179, 53736, 54832, 56109, 57204, 57754],
];

/** TAI − UTC from the first of these days on, in seconds. */
const FIRST = 10;

/** TT − TAI in seconds. */
const TERRESTRIAL = 32.184;

/** Seconds by which a scale is ahead of TAI; TDB is never more than 2 ms from TT. */
const AHEAD: Readonly<Record<string, number>> = {
  TAI: 0,
  IAT: 0,
  TT: TERRESTRIAL,
  TDT: TERRESTRIAL,
  ET: TERRESTRIAL,
  TDB: TERRESTRIAL,
};

/** The scales that are read. */
export const CLOCKS: readonly string[] = ["UTC", ...Object.keys(AHEAD)];

/**
 * What makes times of a scale, in seconds (MJD · 86400), times of UTC; `undefined` for scales that are not read. Before 1972,
 * TAI − UTC counts as 10 s.
 */
export function toUtc(scale: string): ((time: number) => number) | undefined {
  const name = scale.toUpperCase();
  if (name === "UTC") return (time) => time;
  const ahead = AHEAD[name];
  if (ahead === undefined) return undefined;
  return (time) => {
    const atomic = time - ahead;
    const leaps = LEAPS.findLastIndex((day, i) => atomic >= day * 86400 + FIRST + i);
    return atomic - FIRST - Math.max(0, leaps);
  };
}
