/**
 * Fixed frames of directions, and directions in others of them.
 *
 * Two worlds define frames of the same names differently: casacore, which Measurement Sets are written with, and astropy, which
 * UVH5 and version 4 follow. Names of casacore are in upper case here, those of astropy in lower case, as both write them:
 *
 * - `J2000` is the mean equator and equinox of J2000.0 (IAU 2000), `fk5` that of the FK5; they differ by 0.03 seconds of arc.
 * - `B1950` is the FK4 with the epoch 2000.0, as casacore converts it where no time is said, `B1950_VLA` with that of 1979.9,
 *   `fk4` with that of 1950.0: the FK4 turns by 0.5 seconds of arc per century. All have the E-terms of aberration, which
 *   `fk4noeterms` leaves out.
 * - `GALACTIC` and `SUPERGAL` of casacore come from its B1950, `galactic` and `supergalactic` from ICRS: 0.5 seconds apart.
 *
 * Against casacore and astropy, conversions are right to 0.01 seconds of arc.
 *
 * Sources: Seidelmann (ed.), Explanatory Supplement to the Astronomical Almanac (1992), 3.5; matrices as astropy has them, and
 * those that casacore's conversions amount to.
 *
 * @module
 */

/** A direction as a vector of length 1. */
export type Vector = readonly [number, number, number];

/** Longitude and latitude in radians. */
export type LonLat = readonly [longitude: number, latitude: number];

type Matrix = readonly [Vector, Vector, Vector];

/** The systems of right ascension and declination in which lists of sources are. */
export type Catalogue = "ICRS" | "J2000" | "fk5";

/** A fixed frame. */
interface Frame {
  /** Its name. */
  readonly name: string;
  /** Which equatorial system directions of lists count as, where the field of an observation has this frame. */
  readonly catalogue: Catalogue;
  /** The frame of astropy that is closest to it, as version 4 names frames; absent: there is none. */
  readonly astropy?: string;
  /** Its axes in FITS: longitude, latitude, system, and equinox. */
  readonly fits: readonly [longitude: string, latitude: string, system?: string, equinox?: number];
  /** A direction of the frame in ICRS. */
  readonly toIcrs: (direction: Vector) => Vector;
  /** A direction of ICRS in the frame. */
  readonly fromIcrs: (direction: Vector) => Vector;
}

/** From J2000 of casacore to ICRS. */
const BIAS: Matrix = [
  [0.9999999999999939, 7.078279376111907e-8, -8.05621739014274e-8],
  [-7.078279690004491e-8, 0.9999999999999963, -3.3060408906740165e-8],
  [8.056217151163158e-8, 3.3060414557876326e-8, 0.9999999999999962],
];
/** From the FK5 to ICRS. */
const FK5: Matrix = [
  [0.9999999999999928, 1.1102233723050031e-7, 4.411803426976324e-8],
  [-1.110223329740834e-7, 0.9999999999999891, -9.647792743888517e-8],
  [-4.411804498096776e-8, 9.64779225407974e-8, 0.9999999999999943],
];
/** From the FK4 without E-terms, epoch 1950, to the FK5. */
const FK4: Matrix = [
  [0.9999256794956877, -0.0111814832204662, -0.0048590038153592],
  [0.0111814832391717, 0.9999374848933135, -2.71625947142e-5],
  [0.0048590037723143, -2.7170293744e-5, 0.9999881946023742],
];
/** From the FK4 without E-terms to J2000 as casacore has it, at the epochs 2000 and 1979.9. */
const B1950: Matrix = [
  [0.9999256781649868, -0.011182061086124786, -0.004857947730977215],
  [0.011182061015438595, 0.9999374784319692, -2.7176493935828713e-5],
  [0.004857947893682928, -2.714739380876118e-5, 0.9999881997330176],
];
const B1950_VLA: Matrix = [
  [0.9999256787016957, -0.011181828610618526, -0.004858372348369828],
  [0.011181828589154423, 0.9999374810313354, -2.7168170814887637e-5],
  [0.004858372397771061, -2.715933518054211e-5, 0.9999881976703601],
];
/** The E-terms of aberration in 1950. */
const E_TERMS: Vector = [-1.6255741516894347e-6, -3.191905371563791e-7, -1.384290671929659e-7];
/** What a century adds to them: seconds of arc in radians. */
const E_TERMS_PER_CENTURY: Vector = [1.244e-3, -1.579e-3, -0.66e-3].map((value) =>
  value / 3600 * Math.PI / 180
) as unknown as Vector;
/** From ICRS to galactic coordinates of astropy. */
const GALACTIC: Matrix = [
  [-0.054875657712592056, -0.8734370519556158, -0.4838350736167149],
  [0.49410943719272704, -0.4448297212232953, 0.7469821839866669],
  [-0.8676661375596583, -0.19807633727299975, 0.45598381368730145],
];
/** From galactic to supergalactic coordinates. */
const SUPERGALACTIC: Matrix = [
  [-0.7357425748043751, 0.6772612964138945, 0],
  [-0.07455377836523361, -0.08099147130697676, 0.993922590399775],
  [0.6731453021092078, 0.7312711658169644, 0.11008126222478191],
];
/** From J2000 of casacore to its galactic, supergalactic and ecliptic coordinates. */
const CASA_GALACTIC: Matrix = [
  [-0.05487776212817495, -0.8734369590901694, -0.48383500257744955],
  [0.49410832143464845, -0.44483086099622915, 0.7469822432925615],
  [-0.8676666398524476, -0.19807418711349253, 0.4559837919120499],
];
const CASA_SUPERGALACTIC: Matrix = [
  [0.3750163483373741, 0.34135803159964057, 0.8618801730763507],
  [-0.8983206897147007, -0.0957248777762169, 0.42878512824634346],
  [0.2288726215828498, -0.9350462245456888, 0.27075058827756315],
];
const CASA_ECLIPTIC: Matrix = [[1, 0, 0], [0, 0.9174820620691814, 0.3977771559319139], [
  0,
  -0.3977771559319139,
  0.9174820620691814,
]];

function times(matrix: Matrix, [x, y, z]: Vector): Vector {
  const row = ([a, b, c]: Vector) => a * x + b * y + c * z;
  return [row(matrix[0]), row(matrix[1]), row(matrix[2])];
}

function transposed([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  return [[a, d, g], [b, e, h], [c, f, i]];
}

function unit([x, y, z]: Vector): Vector {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}

/** Steps of turns, one after another. */
function turned(...matrices: readonly Matrix[]): Pick<Frame, "toIcrs" | "fromIcrs"> {
  const back = matrices.map(transposed).reverse();
  return {
    toIcrs: (direction) => matrices.reduce((found, matrix) => times(matrix, found), direction),
    fromIcrs: (direction) => back.reduce((found, matrix) => times(matrix, found), direction),
  };
}

/** The FK4 at an epoch: without E-terms it is a turned equatorial system, `steps` from ICRS. */
function fk4(epoch: number, steps: readonly Matrix[], eTerms = true): Pick<Frame, "toIcrs" | "fromIcrs"> {
  const centuries = (epoch - 1950) / 100;
  const terms = E_TERMS.map((value, i) => value + centuries * E_TERMS_PER_CENTURY[i]!) as unknown as Vector;
  const { toIcrs, fromIcrs } = turned(...steps);
  return {
    toIcrs: (direction) => unit(toIcrs(eTerms ? withoutETerms(direction, terms) : direction)),
    fromIcrs: (direction) => {
      const found = unit(fromIcrs(direction));
      return eTerms ? withETerms(found, terms) : found;
    },
  };
}

function dot([a, b, c]: Vector, [x, y, z]: Vector): number {
  return a * x + b * y + c * z;
}

function withoutETerms(direction: Vector, terms: Vector): Vector {
  const along = dot(terms, direction);
  return unit(direction.map((value, i) => value - terms[i]! + along * value) as unknown as Vector);
}

/** The inverse, step by step: a step takes away six digits of the error. */
function withETerms(direction: Vector, terms: Vector): Vector {
  let found = direction;
  for (let step = 0; step < 6; step++) {
    const along = dot(terms, found);
    found = direction.map((value, i) => (terms[i]! + value) / (1 + along)) as unknown as Vector;
  }
  return unit(found);
}

const EQUATORIAL = ["RA", "DEC"] as const;

const LIST: readonly Frame[] = [
  { name: "ICRS", catalogue: "ICRS", astropy: "icrs", fits: [...EQUATORIAL, "ICRS"], ...turned() },
  { name: "J2000", catalogue: "J2000", astropy: "fk5", fits: [...EQUATORIAL, "FK5", 2000], ...turned(BIAS) },
  {
    name: "B1950",
    catalogue: "J2000",
    astropy: "fk4",
    fits: [...EQUATORIAL, "FK4", 1950],
    ...fk4(2000, [B1950, BIAS]),
  },
  {
    name: "B1950_VLA",
    catalogue: "J2000",
    astropy: "fk4",
    fits: [...EQUATORIAL, "FK4", 1950],
    ...fk4(1979.9, [B1950_VLA, BIAS]),
  },
  {
    name: "GALACTIC",
    catalogue: "J2000",
    astropy: "galactic",
    fits: ["GLON", "GLAT"],
    ...turned(transposed(CASA_GALACTIC), BIAS),
  },
  {
    name: "SUPERGAL",
    catalogue: "J2000",
    astropy: "supergalactic",
    fits: ["SLON", "SLAT"],
    ...turned(transposed(CASA_SUPERGALACTIC), BIAS),
  },
  {
    name: "ECLIPTIC",
    catalogue: "J2000",
    fits: ["ELON", "ELAT", "FK5", 2000],
    ...turned(transposed(CASA_ECLIPTIC), BIAS),
  },
  { name: "icrs", catalogue: "ICRS", astropy: "icrs", fits: [...EQUATORIAL, "ICRS"], ...turned() },
  { name: "fk5", catalogue: "fk5", astropy: "fk5", fits: [...EQUATORIAL, "FK5", 2000], ...turned(FK5) },
  {
    name: "fk4",
    catalogue: "ICRS",
    astropy: "fk4",
    fits: [...EQUATORIAL, "FK4", 1950],
    ...fk4(1950, [FK4, FK5]),
  },
  {
    name: "fk4noeterms",
    catalogue: "ICRS",
    astropy: "fk4noeterms",
    fits: [...EQUATORIAL, "FK4-NO-E", 1950],
    ...fk4(1950, [FK4, FK5], false),
  },
  {
    name: "galactic",
    catalogue: "ICRS",
    astropy: "galactic",
    fits: ["GLON", "GLAT"],
    ...turned(transposed(GALACTIC)),
  },
  {
    name: "supergalactic",
    catalogue: "ICRS",
    astropy: "supergalactic",
    fits: ["SLON", "SLAT"],
    ...turned(transposed(SUPERGALACTIC), transposed(GALACTIC)),
  },
];

/** The frames that are read, by name. */
export const FRAMES: ReadonlyMap<string, Frame> = new Map(LIST.map((frame) => [frame.name, frame]));

/** A direction as a vector. */
export function vectorOf([longitude, latitude]: LonLat): Vector {
  const cos = Math.cos(latitude);
  return [cos * Math.cos(longitude), cos * Math.sin(longitude), Math.sin(latitude)];
}

/** Longitude, from 0 to 2π, and latitude of a vector. */
export function lonLatOf([x, y, z]: Vector): LonLat {
  const longitude = Math.atan2(y, x);
  return [longitude < 0 ? longitude + 2 * Math.PI : longitude, Math.atan2(z, Math.hypot(x, y))];
}

/** A direction of one frame in another one; the same numbers if both are the same system. */
export function converted(direction: LonLat, from: string, to: string): LonLat {
  const [own, wanted] = [FRAMES.get(from)!, FRAMES.get(to)!];
  if (isSame(from, to)) return direction;
  return lonLatOf(wanted.fromIcrs(own.toIcrs(vectorOf(direction))));
}

/** Whether two names are those of one system. */
function isSame(from: string, to: string): boolean {
  return from === to || (from.toUpperCase() === "ICRS" && to.toUpperCase() === "ICRS");
}

/** Half axis at the equator in metres, and flattening, of WGS 84. */
const AXIS = 6378137, FLATTENING = 1 / 298.257223563;

/** x, y and z in metres of a place by latitude and longitude in radians and height in metres (WGS 84). */
export function placeOnEarth(latitude: number, longitude: number, height: number): [number, number, number] {
  const square = FLATTENING * (2 - FLATTENING);
  const [sin, cos] = [Math.sin(latitude), Math.cos(latitude)];
  const radius = AXIS / Math.sqrt(1 - square * sin * sin);
  return [
    (radius + height) * cos * Math.cos(longitude),
    (radius + height) * cos * Math.sin(longitude),
    (radius * (1 - square) + height) * sin,
  ];
}

/** Latitude and longitude in radians of a place in metres from the centre of the Earth: the inverse, to 1e-9 up to 10 km high. */
export function latitudeOf(
  [x, y, z]: readonly [number, number, number],
): [latitude: number, longitude: number] {
  const square = FLATTENING * (2 - FLATTENING), distance = Math.hypot(x, y);
  let latitude = Math.atan2(z, distance * (1 - square));
  for (let i = 0; i < 4; i++) {
    const sin = Math.sin(latitude);
    latitude = Math.atan2(z + square * AXIS * sin / Math.sqrt(1 - square * sin * sin), distance);
  }
  return [latitude, Math.atan2(y, x)];
}
