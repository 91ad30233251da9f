/**
 * Constants of nature that the measurement equation needs.
 *
 * @module
 */

/**
 * The rotation of the Earth in radians per second (IERS Conventions 2010, table 1.2).
 * @category Measurement equation
 */
export const EARTH_ROTATION = 7.292115e-5;
