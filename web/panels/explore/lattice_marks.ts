/**
 * What an analysis of disks shows over the pattern and the scan: the disk, both vectors, where disks are expected and were found,
 * and where the reference is taken from.
 *
 * @module
 */

import { latticePoints } from "@tilewise/tilewise/unstable/blobs";
import type { Disk } from "../../draw/bright_disk.ts";
import type { Mark } from "../../draw/region.ts";
import type { Dots, NamedRegion } from "../../pictures/mod.ts";
import type { AnalysisChoice, PageState, Position } from "../../state/state.ts";
import {
  hasLattice,
  type Lattice,
  latticeIn,
  latticeOf,
  marksOf,
  referenceIn,
  withDisk,
  withReference,
  withTip,
} from "../analysis/lattice.ts";
import { isOther } from "../analysis/result_list.ts";
import type { Workbench } from "../workbench.ts";
import { frameSize } from "./places.ts";

/** Where the vectors begin if no lattice was found: at so many radii. */
const APART = 4;

/** The marks of the analysis that is chosen. */
export class LatticeMarks {
  /** Marks for the state and the answer of a workbench. */
  constructor(private readonly bench: Workbench) {}

  /** What is moved over the pattern. */
  regions({ analysis }: PageState): readonly NamedRegion[] {
    const [lattice, radius] = [this.#lattice(analysis), Number(analysis.values["radius"])];
    if (!lattice || !(radius > 0)) return [];
    const [disk, a, b] = marksOf(lattice, radius);
    return [
      { id: "disk", label: "Disk", region: disk },
      { id: "a", label: "Vector a", region: a },
      { id: "b", label: "Vector b", region: b },
    ];
  }

  /** Circles where disks are expected, and crosses where they were found at a position. */
  dots(state: PageState, position: Position | undefined): readonly Dots[] {
    const { analysis: { values } } = state;
    const [lattice, radius] = [this.#lattice(state.analysis), Number(values["radius"])];
    if (!lattice || !(radius > 0)) return [];
    return [{ radius, at: this.#expected(lattice, radius, values) }, {
      radius: 0,
      at: this.#found(state, position),
    }];
  }

  /** Where the reference is taken from. */
  reference({ analysis }: PageState): readonly NamedRegion[] {
    const region = referenceIn(analysis.values);
    return hasLattice(analysis) && region ? [{ id: "reference", label: "Reference", region }] : [];
  }

  /** The analysis after a mark was moved; nothing, if it is none of these. */
  moved(analysis: AnalysisChoice, id: string, mark: Mark): AnalysisChoice | undefined {
    const lattice = this.#lattice(analysis);
    if (id === "reference" && mark.kind === "rectangle") return withReference(analysis, mark);
    if (!lattice) return undefined;
    if (id === "disk" && mark.kind === "disk") return withDisk(analysis, lattice, mark);
    return (id === "a" || id === "b") && mark.kind === "arrow"
      ? withTip(analysis, lattice, id, mark)
      : undefined;
  }

  /** The lattice that is given, else that which was found, else one to begin with. */
  #lattice(analysis: AnalysisChoice): Lattice | undefined {
    if (!hasLattice(analysis)) return undefined;
    const { answer, session } = this.bench;
    const size = session && frameSize(session.dataset);
    return latticeIn(analysis.values) ?? latticeOf(answer, analysis) ?? (size && guessed(size, session.disk));
  }

  #expected(lattice: Lattice, radius: number, values: Readonly<Record<string, string>>): readonly Position[] {
    const frame = this.bench.session && frameSize(this.bench.session.dataset);
    const given = (name: string, usual: number) => values[name] === undefined ? usual : Number(values[name]);
    const range = {
      margin: given("margin", Math.ceil(radius)),
      minRadius: given("minRadius", 0),
      maxRadius: given("maxRadius", Infinity),
    };
    try {
      return frame ? latticePoints(lattice, { frame, ...range }).peaks : [];
    } catch {
      return []; // no lattice yet: the answer says why
    }
  }

  /** Of each disk the place between pixels, at a position of the scan. */
  #found(state: PageState, position: Position | undefined): readonly Position[] {
    const { answer, session } = this.bench;
    const places = answer && !isOther(answer, state) &&
      answer.results.find(({ name }) => name === "refineds");
    if (!places || !session || !position || session.dataset.navShape.length !== 2) return [];
    const { data, shape: [, columns = 1, disks = 0] } = places.array;
    const first = 2 * disks * (position[0] * columns + position[1]);
    return Array.from({ length: disks }, (_, disk): Position => [
      Number(data[first + 2 * disk]),
      Number(data[first + 2 * disk + 1]),
    ]).filter(([y, x]) => Number.isFinite(y + x));
  }
}

function guessed([height, width]: readonly [number, number], disk: Disk | undefined): Lattice {
  const { cy, cx, r } = disk ?? { cy: height / 2, cx: width / 2, r: Math.min(height, width) / 16 };
  return { zero: [cy, cx], a: [APART * r, 0], b: [0, APART * r] };
}
