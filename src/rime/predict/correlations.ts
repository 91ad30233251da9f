/**
 * Correlations: which of them are predicted, and how sums over sources with real weights become them.
 *
 * All Stokes parameters are real. The brightness matrix of linear feeds is `[[I+Q, U+iV], [U−iV, I−Q]]`, that of circular ones
 * `[[I+V, Q+iU], [Q−iU, I−V]]`. So four sums with real weights, such as I+Q, U, V and I−Q, give all correlations; the step
 * from U and V to U ± iV is taken once, after all sources. No square root is taken: any sign and any polarisation will do. Where the
 * matrix is the conjugate, one of the sums is −V (or −U).
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import type { Brightness } from "../../observations/meaning/correlations.ts";
import { nearest } from "../../options.ts";

/**
 * A correlation of two feeds, or a Stokes parameter.
 * @category Measurement equation
 */
export type Correlation =
  | ("XX" | "XY" | "YX" | "YY")
  | ("RR" | "RL" | "LR" | "LL")
  | ("I" | "Q" | "U" | "V");

/** The four correlations of linear feeds. */
export const LINEAR: readonly Correlation[] = ["XX", "XY", "YX", "YY"];
/** The four correlations of circular feeds. */
export const CIRCULAR: readonly Correlation[] = ["RR", "RL", "LR", "LL"];
/** The four Stokes parameters. */
export const STOKES: readonly Correlation[] = ["I", "Q", "U", "V"];

/** How sums become correlations: see the kernel `rime_correlations`. */
export interface Sums {
  /** Weights of I, Q, U and V of each sum. */
  readonly combine: readonly (readonly [number, number, number, number])[];
  /** 0: they are correlations; 1: the second and the third are mixed; 2: the first is copied to the last. */
  readonly how: 0 | 1 | 2;
}

/** Correlations with real weights of I, Q, U and V. */
const REAL: Readonly<Record<string, readonly [number, number, number, number]>> = {
  XX: [1, 1, 0, 0],
  YY: [1, -1, 0, 0],
  RR: [1, 0, 0, 1],
  LL: [1, 0, 0, -1],
  I: [1, 0, 0, 0],
  Q: [0, 1, 0, 0],
  U: [0, 0, 1, 0],
  V: [0, 0, 0, 1],
};

/**
 * The sums that give `correlations`: 4 of one kind of feed in their order, all Stokes parameters, or 1 or 2 that are real
 * combinations of Stokes parameters. Without polarisation, one sum gives those of two equal feeds.
 */
export function sumsFor(
  correlations: readonly Correlation[],
  polarised: boolean,
  call: string,
  { conjugated = false, halved = false }: Brightness = {},
): Sums {
  const factor = halved ? 0.5 : 1, imaginary = conjugated ? -factor : factor;
  const names = correlations.join();
  const isPair = ["XX,YY", "RR,LL"].includes(names);
  const isFour = names === LINEAR.join() || names === CIRCULAR.join();
  if (!polarised && (isPair || isFour)) return { combine: [row("I", factor)], how: 2 };
  const four = (first: string, real: string, other: string, last: string): Sums => ({
    combine: [row(first, factor), row(real, factor), row(other, imaginary), row(last, factor)],
    how: 1,
  });
  if (names === LINEAR.join()) return four("XX", "U", "V", "YY");
  if (names === CIRCULAR.join()) return four("RR", "Q", "U", "LL");
  const combine = correlations.map((name) => REAL[name] && row(name, name.length === 1 ? 1 : factor));
  const { length } = correlations;
  if ((length === 1 || length === 2 || names === STOKES.join()) && combine.every((row) => row)) {
    return { combine: combine as Sums["combine"], how: 0 };
  }
  throw refusal(correlations, call);
}

/** The weights of a correlation, multiplied by a factor. */
function row(name: string, factor: number): Sums["combine"][number] {
  const [i, q, u, v] = REAL[name]!;
  return [factor * i, factor * q, factor * u, factor * v];
}

function refusal(correlations: readonly string[], call: string): TilewiseError {
  const known = [...LINEAR, ...CIRCULAR, ...STOKES];
  const odd = correlations.find((name) => !known.includes(name as Correlation));
  const near = odd === undefined ? undefined : nearest(odd, known);
  const text = `${call}: cannot predict the correlations ${correlations.join(", ") || "(none)"}; ` +
    (near === undefined ? "" : `did you mean ${near}? `) +
    `use XX, XY, YX, YY or RR, RL, LR, LL or I, Q, U, V, or one or two of XX, YY, RR, LL, I, Q, U and V`;
  return new TilewiseError("invalid", text, { option: "correlations", found: correlations.join() });
}
