/**
 * Cubes from plain data: a module of the user that makes one, or the prediction of an observation.
 *
 * @module
 */

import { isKind } from "../../sinks/registry.ts";
import { cannot, isTilewiseError, TilewiseError } from "../../errors.ts";
import { checkProblem, type CubeProblem } from "../../hypercube/parts/problem.ts";
import { withRole } from "../../hypercube/cube/schema.ts";
import type { Provider } from "../../hypercube/providers/provider.ts";
import { toNpy } from "../../hypercube/providers/sinks/npy.ts";
import { type Pack, PACKS } from "../../kernels/families/packs.ts";
import type { ObservationOptions } from "../../observations/observation.ts";
import { openObservation } from "../../observations/open.ts";
import type {
  ObservationProblem,
  PredictObservationOptions,
} from "../../rime/observed/predict_observation.ts";
import { defined, inWords } from "../../options.ts";
import type { DescribedArray } from "../../sinks/losses.ts";
import { reasonOf } from "../../reason.ts";
import { absolute } from "../manifest/here.ts";
import type { Context } from "../../runner/context.ts";
import { importExport } from "../../runner/import_export.ts";
import { readSky } from "../../skies/read.ts";

/** A cube that a module makes. */
interface ModuleCube {
  readonly from: "module";
  /** URL of the module. */
  readonly module: string;
  /** Its export: a function of the parameters that returns the cube, its kernel and its sources. */
  readonly export: string;
  /** Parameters: plain data. */
  readonly params: unknown;
  /** Files, folders and URLs that it reads. */
  readonly inputs: readonly string[];
}

/** The visibilities of a sky for an observation. */
export interface PredictedCube {
  readonly from: "observation";
  /** The list of components. */
  readonly sky: string;
  /** The observation. */
  readonly observation: string;
  /** How it is opened. */
  readonly open: Pick<ObservationOptions, "field" | "spectralWindow" | "dataDescription">;
  /** Whether the result has the rows of the observation: a `.npy` or a column, and no `.zarr`. */
  readonly asRows: boolean;
  /** The column of the observation that the result becomes; absent: it becomes a file. */
  readonly column?: string;
  /** How it is predicted. */
  readonly options: Pick<PredictObservationOptions, "precision" | "correlations" | "convention" | "behind">;
}

/** What a cube is made of. */
export type CubeSpec = ModuleCube | PredictedCube;

/** A cube that is ready to be planned. */
export interface OpenedCube extends AsyncDisposable {
  /** The cube, its kernel and its sources. */
  readonly problem: CubeProblem;
  /** The packs of kernels that it needs. */
  readonly packs: readonly Pack[];
  /** What people should know of the results. */
  readonly notes: readonly string[];
  /** What is known of the only result; absent: there are several, or the file says all that is known. */
  readonly result?: DescribedArray;
  /** The column that the results become, in place of a file. */
  readonly column?: string;
  /** A provider that writes the results to `path`. Errors: `invalid` for names that do not fit. */
  sink(path: string): Provider | Promise<Provider>;
}

/** All that a cube reads, by name. */
export function inputNames(spec: CubeSpec): readonly string[] {
  return spec.from === "module" ? spec.inputs : [spec.sky, spec.observation];
}

/** Opens a cube. Errors: those of the module, of reading and of opening. */
export async function openCube(
  spec: CubeSpec,
  context: Context | undefined,
  signal: AbortSignal | undefined,
): Promise<OpenedCube> {
  return spec.from === "module" ? await moduleCube(spec) : await predictedCube(spec, context, signal);
}

async function moduleCube({ module, export: name, params }: ModuleCube): Promise<OpenedCube> {
  const make = await importExport(module, name, "cube");
  if (typeof make !== "function") {
    const text =
      `Cannot use "${name}" of ${module} as a cube: it must be a function that returns cube, kernel and ` +
      `sources, it is ${typeof make}`;
    throw new TilewiseError("udf", text, { file: module, found: typeof make });
  }
  const problem = await problemOf(`"${name}" of ${module}`, module, () => make(params));
  return {
    problem,
    packs: PACKS, // nobody knows which of them a kernel calls
    notes: [],
    sink: (path) => npySink(path, problem),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** What a function of a user makes; its errors become errors with its name. */
async function problemOf(call: string, module: string, make: () => unknown): Promise<CubeProblem> {
  let made: unknown;
  try {
    made = await make();
  } catch (cause) {
    if (isTilewiseError(cause)) throw cause;
    const text = `Cannot make a cube: ${call} failed: ${reasonOf(cause)}`;
    throw new TilewiseError("udf", text, { file: module }, { cause });
  }
  if (typeof made === "object" && made !== null) return checkProblem(call, made);
  const found = inWords(made);
  const text = `Cannot make a cube: ${call} must return cube, kernel and sources; it returned ${found}`;
  throw new TilewiseError("udf", text, { file: module, found });
}

function npySink(path: string, { cube }: CubeProblem): Provider {
  const names = withRole(cube, "output").map(({ name }) => name);
  const [name] = names;
  if (name !== undefined && names.length === 1 && isKind(path, "npy")) return toNpy({ [name]: path });
  const text = `the cube has the outputs ${names.join(", ")}; a .npy takes one of one, ` +
    "mergeCube() gives them to sinks of your own";
  throw cannot("write", path, "invalid", text, { expected: ".npy", found: names.length });
}

async function predictedCube(
  spec: PredictedCube,
  context: Context | undefined,
  signal: AbortSignal | undefined,
): Promise<OpenedCube> {
  const { sky: list, observation: source, open, asRows, column, options } = spec;
  const [{ observationProblem }, { RIME_PACKS }] = await Promise.all([
    import("../../rime/observed/predict_observation.ts"),
    import("../../rime/geometry/packs.ts"),
  ]);
  const control = defined({ signal });
  const sky = await readSky(list, control);
  const observation = await openObservation(source, { ...open, ...control });
  const more = { ...control, ...defined({ context }) };
  const found = await observationProblem(sky, observation, asRows, { ...options, ...more });
  const { problem, facts } = found, { missing } = facts;
  return {
    problem,
    ...(asRows ? { result: facts } : {}),
    packs: RIME_PACKS,
    notes: missing > 0 ? [`${missing} missing rows are NaN and flagged`] : [],
    ...defined({ column }),
    sink: (path) =>
      column === undefined ? fileSink(path, asRows, found) : columnSink(path, spec, found, signal),
    [Symbol.asyncDispose]: () => observation[Symbol.asyncDispose](),
  };
}

async function fileSink(path: string, asRows: boolean, { sink }: ObservationProblem): Promise<Provider> {
  const ending = asRows ? ".npy" : ".zarr";
  if (path.toLowerCase().endsWith(ending)) return await sink(path);
  const text = `the parts are of a ${ending}; give a name with this ending`;
  throw cannot("write", path, "invalid", text, { expected: ending });
}

async function columnSink(
  path: string,
  { observation, column = "", open }: PredictedCube,
  { rows }: ObservationProblem,
  signal: AbortSignal | undefined,
): Promise<Provider> {
  const [own, wanted] = await Promise.all([observation, path].map(absolute));
  if (own !== wanted) {
    const text = `the parts are of the column ${column} of ${observation}; give its name`;
    throw cannot("write", path, "invalid", text, { expected: observation });
  }
  const { ModelColumn } = await import("../../observations/model/to_column.ts");
  const model = await ModelColumn.plan(path, column, { ...open, ...defined({ signal }) });
  return model.whole(rows);
}
