/**
 * Asks one UDF what it needs, and checks the answers.
 *
 * @module
 */

import type { Backend } from "../../dataset/facts.ts";
import { TilewiseError } from "../../errors.ts";
import { loadPacks } from "../../kernels/wasm.ts";
import { inWords } from "../../options.ts";
import { type DType, dtypeInfo, DTYPES, resultType, type TypedArray } from "../../space/dtype.ts";
import { sizeOf } from "../../space/shape.ts";
import type { Allowance } from "./allowance.ts";
import type { AuxSpec } from "../interface/aux_data.ts";
import type { DTypeWish } from "../interface/buffer_types.ts";
import { declaredBuffers } from "../buffers/buffers.ts";
import {
  type CountedWishes,
  declaredBackends,
  declaredConstants,
  declaredTiling,
  declaredTree,
} from "../buffers/declarations.ts";
import type { declaredAux } from "../buffers/declared_aux.ts";
import type { Derivation } from "../interface/derivation.ts";
import { udfPacks } from "./packs.ts";
import type { ResultMeaning } from "./meaning.ts";
import { planDerivation, type PlannedDerivation } from "./derived_plan.ts";
import { loadSteps, type ResultSteps } from "./result_steps.ts";
import { prepareUdf } from "../worker/load.ts";
import type { BufferSpec, DataMeta, Method, Udf, UdfMeta } from "../interface/udf.ts";
import { guarded, settled } from "../interface/guard.ts";
import { makeInSteps, type PlanControl } from "../interface/making.ts";
import type { UdfRef } from "../interface/udf_ref.ts";
import { widerDType } from "../worker/widen.ts";

/**
 * One UDF of a plan.
 * @category Runs
 */
export interface PlannedUdf {
  /** Key of its results. */
  readonly key: string;
  /** The form in which it gets its tiles. */
  readonly backend: Backend;
  /** Which of its methods runs. */
  readonly method: Method;
}

/** All facts of a UDF of a plan. */
export interface PreparedUdf extends PlannedUdf {
  /** The reference from which workers make it. */
  readonly ref: UdfRef;
  /** The reference that the caller gave; `prepare` may have made `ref` from it. */
  readonly given: UdfRef;
  /** The UDF, on this thread. */
  readonly udf: Udf;
  /** The facts of the data that it gets. */
  readonly meta: UdfMeta;
  /** The type in which it wants its samples. */
  readonly wish: DTypeWish;
  /** How it wants its tiles to be cut; bytes as a number. */
  readonly tiling: CountedWishes;
  /** Whether its partial results are merged in a tree within partitions. */
  readonly tree: boolean;
  /** Arrays that all workers read. */
  readonly constants: Readonly<Record<string, TypedArray>>;
  /** Arrays that are cut like buffers. */
  readonly aux: Readonly<Record<string, AuxSpec>>;
  /** The derivations of its results, in order. */
  readonly derivations: readonly PlannedDerivation[];
  /** Steps from its merged buffers to its results that few UDFs have. */
  readonly steps: ResultSteps;
  /** What its results say of themselves, by name, besides what follows from their kind and type. */
  readonly meanings: Readonly<Record<string, ResultMeaning>>;
}

/** A loaded UDF: the forms of tiles that it takes are known, but not yet which one it gets. */
interface LoadedUdf extends Pick<PreparedUdf, "key" | "ref" | "given" | "udf"> {
  /** The forms that it takes, the preferred one first. */
  readonly backends: readonly Backend[];
  /** The derivations of its results, in order. */
  readonly derived: readonly Derivation[];
}

/** Loads the UDF that `given` refers to. */
export async function loadPlanned(key: string, given: UdfRef, data: DataMeta): Promise<LoadedUdf> {
  const { ref, udf, derived } = await prepareUdf(given, data);
  await loadPacks(udfPacks(udf, data));
  return { key, ref, given, udf, derived, backends: declaredBackends(udf, data) };
}

/**
 * Asks a UDF that gets its tiles as `backend` what it needs for this data. What does not fit `allowance` is refused.
 * Masks and tables that take long are made in steps.
 */
export async function planUdf(
  loaded: LoadedUdf,
  backend: Backend,
  data: DataMeta,
  allowance: Allowance,
  control: PlanControl = {},
): Promise<PreparedUdf> {
  const { key, udf } = loaded;
  const ask = <T>(work: () => T) => guarded(udf.name, "what it says for the plan", work);
  const basis = ask(() => basisOf(loaded, backend, data, allowance));
  let least = ask(() => leastBytesOf(udf, basis.meta));
  const count = (bytes: number) => {
    allowance.take(udf.name, CONSTANTS, bytes - least);
    least = bytes;
  };
  allowance.take(udf.name, CONSTANTS, least);
  await makeInSteps(key, udf, basis.meta, (bytes) => count(Math.max(least, bytes)), control);
  const [steps, aux] = await Promise.all([loadSteps(udf, loaded.derived), auxOf(udf)]);
  const { buffers, ...planned } = ask(() => ({
    ...asked(loaded, basis, count, allowance),
    aux: aux(udf, basis.meta),
    steps,
  }));
  const results = [...buffers, ...planned.derivations.flatMap(({ declared }) => declared)];
  return { ...planned, meanings: await meaningsOf(results, basis.meta) };
}

/** What results say of themselves; the code for it is loaded where there is something to say. */
async function meaningsOf(
  results: readonly (readonly [name: string, spec: BufferSpec])[],
  meta: UdfMeta,
): Promise<PreparedUdf["meanings"]> {
  const isPlain = meta.values.kind === "amount" && Object.keys(meta.values).length < 2;
  const says = ({ values, axes }: BufferSpec) => axes || (isPlain ? typeof values === "object" : values);
  if (!results.some(([, spec]) => says(spec))) return {};
  return (await import("./meaning.ts")).meaningsOf(results, meta);
}

/** What {@link Udf.leastBytes} counts. */
const CONSTANTS = "masks, tables, scratch and results";

type Basis = Pick<PreparedUdf, "meta" | "wish" | "backend" | "tiling" | "method">;

function basisOf({ udf }: LoadedUdf, backend: Backend, data: DataMeta, allowance: Allowance): Basis {
  checkCopy(udf);
  const { nativeDType = data.nativeDType, wish } = wishesOf(udf, data);
  const meta: UdfMeta = {
    ...data,
    nativeDType,
    inputDType: wish === "native" ? nativeDType : resultType(wish, nativeDType),
    backend,
  };
  const [method, tiling] = [methodOf(udf, meta), declaredTiling(udf, meta)];
  if (backend === "dense" && (method !== "tile" || tiling.wholeFrames)) {
    allowance.mustHoldTiles(
      udf.name,
      "tiles of whole frames",
      dtypeInfo(meta.nativeDType).itemSize * meta.pixels,
    );
  }
  return { meta, wish, backend, method, tiling };
}

function asked(
  { key, ref, given, udf, derived }: LoadedUdf,
  basis: Basis,
  count: (bytes: number) => void,
  allowance: Allowance,
): Omit<PreparedUdf, "steps" | "aux" | "meanings"> & { readonly buffers: [string, BufferSpec][] } {
  const { meta } = basis;
  const buffers = declaredBuffers(udf, meta);
  const specs = buffers.map(([, spec]) => spec);
  count(leastBytesOf(udf, meta));
  allowance.takeResults(udf.name, specs.reduce((sum, spec) => sum + wholeBytes(spec, meta), 0));
  return {
    buffers,
    key,
    ref,
    given,
    udf,
    ...basis,
    tree: declaredTree(udf, meta, specs),
    constants: declaredConstants(udf, meta),
    derivations: derived.map((one) => planDerivation(udf, one, meta)),
  };
}

/** What asks a UDF for its auxiliary data, and checks them; its code is loaded if there are any. */
async function auxOf(udf: Udf): Promise<typeof declaredAux> {
  return udf.aux ? (await import("../buffers/declared_aux.ts")).declaredAux : () => ({});
}

/** The lower bound of its bytes, asked for before anything else. */
function leastBytesOf(udf: Udf, meta: UdfMeta): number {
  const bytes = settled(udf.name, "leastBytes()", udf.leastBytes?.(meta)) ?? 0;
  if (typeof bytes === "number" && bytes >= 0) return bytes;
  const text = `UDF "${udf.name}": leastBytes() gave ${inWords(bytes)}; it must be a number of bytes`;
  throw new TilewiseError("udf", text, { udf: udf.name, option: "leastBytes", found: inWords(bytes) });
}

/** Bytes of a buffer for the whole scan; the size of JSON values is unknown. */
function wholeBytes(
  { kind, dtype = "float32", extraShape = [], compressed }: BufferSpec,
  { roi, pixels }: UdfMeta,
): number {
  if (dtype === "object") return 0;
  const rows = { nav: compressed ? roi.count : roi.frames, sig: pixels, single: 1 }[kind];
  return dtypeInfo(dtype).itemSize * sizeOf(extraShape) * rows;
}

/** Only `tile.data` is copied: kernels of a raw UDF would change samples that other UDFs see. */
function checkCopy({ name, raw, writesTile }: Udf): void {
  if (!raw || !writesTile) return;
  const text =
    `UDF "${name}": writesTile gives it a copy of tile.data, which a raw UDF does not have; take raw away`;
  throw new TilewiseError("udf", text, { udf: name, found: "raw" });
}

/** The type in which it wants its samples, and the native type for it if it cannot take the stored type. */
function wishesOf(udf: Udf, data: DataMeta): { wish: DTypeWish; nativeDType?: DType } {
  const wider = widerDType(udf, data);
  return wider ? { wish: wider, nativeDType: wider } : { wish: wishOf(udf, data) };
}

function wishOf(udf: Udf, data: DataMeta): DTypeWish {
  const { inputDType } = udf;
  const asked = typeof inputDType === "function" ? inputDType(data) : inputDType;
  const wish = settled(udf.name, "inputDType()", asked) ?? "float32";
  if (wish === "native" || DTYPES.includes(wish)) return wish;
  const text = `UDF "${udf.name}": inputDType "${wish}" is not a dtype; known are native, ${
    DTYPES.join(", ")
  }`;
  throw new TilewiseError("udf", text, { udf: udf.name, option: "inputDType", found: String(wish) });
}

const PROCESS = { tile: "processTile", frame: "processFrame", partition: "processPartition" } as const;
const METHODS = Object.keys(PROCESS) as Method[];

function methodOf(udf: Udf, meta: UdfMeta): Method {
  const has = METHODS.filter((method) => typeof udf[PROCESS[method]] === "function");
  if (!udf.method) return has[0]!; // a UDF without a process method is refused when it is loaded
  const chosen = settled(udf.name, "method()", udf.method(meta));
  if (has.includes(chosen)) return chosen;
  const text = METHODS.includes(chosen)
    ? `UDF "${udf.name}": method() chose "${chosen}", but the UDF has no ${PROCESS[chosen]}(); ` +
      `it has ${has.map((method) => PROCESS[method]).join(", ")}`
    : `UDF "${udf.name}": method() gave ${JSON.stringify(chosen)}; it must be one of ${METHODS.join(", ")}`;
  throw new TilewiseError("udf", text, { udf: udf.name, expected: has.join(", "), found: String(chosen) });
}
