/**
 * Models of the sky: lists of components.
 *
 * @module
 */

/**
 * Where a component is: right ascension and declination, or direction cosines from a phase centre.
 * @category Skies
 */
export type SkyPosition =
  | {
    /** Right ascension in radians. */
    readonly ra: number;
    /** Declination in radians. */
    readonly dec: number;
  }
  | {
    /** Direction cosine to the east. */
    readonly l: number;
    /** Direction cosine to the north. */
    readonly m: number;
  };

/**
 * How the flux depends on frequency; all four Stokes parameters are multiplied alike if `isLogarithmic`.
 * @category Skies
 */
export interface Spectrum {
  /** Frequency in Hz at which the flux is `stokes`; absent: it is the same at all frequencies. */
  readonly reference?: number;
  /**
   * Coefficients c, the first one for the power 1. With x = ν / ν₀: logarithmic is S (x ^ (c₀ + c₁ log₁₀ x + c₂ log₁₀² x …)),
   * ordinary is S + c₀ (x − 1) + c₁ (x − 1)² ….
   */
  readonly terms: readonly number[];
  /** Whether it is a power law; otherwise a polynomial, which is added to Stokes I. */
  readonly isLogarithmic: boolean;
}

/**
 * What all components have.
 * @category Skies
 */
export interface SkyComponent {
  /** Its name; may be empty. */
  readonly name: string;
  /** Where it is. */
  readonly position: SkyPosition;
  /** Stokes I, Q, U, V in Jy at the reference frequency. */
  readonly stokes: readonly [number, number, number, number];
  /** How the flux depends on frequency. */
  readonly spectrum: Spectrum;
}

/**
 * A Gaussian.
 * @category Skies
 */
export interface GaussianComponent extends SkyComponent {
  /** Full width at half maximum along its long axis, in radians. */
  readonly major: number;
  /** Full width at half maximum along its short axis, in radians. */
  readonly minor: number;
  /** Position angle of the long axis in radians, towards east. */
  readonly angle: number;
  /**
   * Whether the angle counts from north at the component. Otherwise it counts from the m axis of the image, which points north at
   * the phase centre only, as WSClean and DP3 have it where they do not say `OrientationIsAbsolute`.
   */
  readonly isAbsolute?: boolean;
}

/**
 * A Sérsic profile of index 1, an exponential disk.
 * @category Skies
 */
export interface SersicComponent extends SkyComponent {
  /** First component of its ellipticity. */
  readonly e1: number;
  /** Second component of its ellipticity. */
  readonly e2: number;
  /** Scale length in radians. */
  readonly scale: number;
}

/**
 * A model of the sky.
 * @category Skies
 */
export interface Sky {
  /** Components without extent. */
  readonly points: readonly SkyComponent[];
  /** Gaussians. */
  readonly gaussians: readonly GaussianComponent[];
  /** Sérsic profiles. */
  readonly sersics: readonly SersicComponent[];
}
