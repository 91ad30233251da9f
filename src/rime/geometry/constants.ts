/**
 * Constants of nature, and conventions, that the measurement equation needs.
 *
 * @module
 */

/**
 * The speed of light in metres per second.
 * @category Measurement equation
 */
export const SPEED_OF_LIGHT = 299792458;

/**
 * The sign of the phase: `fourier` is `exp(-2πi …)`, `casa` is `exp(+2πi …)`.
 * @category Measurement equation
 */
export type PhaseConvention = "fourier" | "casa";

/**
 * The rotation of the Earth in radians per second (IERS Conventions 2010, table 1.2).
 * @category Measurement equation
 */
export const EARTH_ROTATION = 7.292115e-5;
