/**
 * Borders of users: functions from a position to the index that is seen there.
 *
 * @module
 */

import { TilewiseError } from "../errors.ts";
import { wholeUrl } from "../executor/module_url.ts";
import { checkOptionNames, type OptionNames } from "../options.ts";
import { text } from "../options/rules.ts";
import { reasonOf } from "../reason.ts";
import { importExport } from "../runner/import_export.ts";
import { type AxisBorder, type BorderMap, BORDERS, type CustomBorder } from "../space/border.ts";

/**
 * Options of {@link borderFunction}.
 * @category Views
 */
export interface BorderFunctionOptions {
  /** The export of the module. Default `default`. */
  readonly export?: string;
}

const OPTIONS: OptionNames<BorderFunctionOptions> = { export: text };

/**
 * A border of your own, for arrays of any size: an export of a module, which workers import, or a function, which runs on
 * the calling thread. The function gets a position outside of `n` samples, and returns the index from 0 to `n - 1` of the
 * sample that is seen there, or -1 for the fill value. It must return the same for the same arguments.
 *
 * Errors: `udf` if the function throws, or returns anything else.
 *
 * @example The other end of the array, mirrored
 * ```ts
 * import { createContext, open } from "@tilewise/tilewise";
 * import { borderFunction } from "@tilewise/tilewise/unstable/views";
 * import { localMaximum, mapViews } from "@tilewise/tilewise/views";
 * import { assertEquals } from "@std/assert";
 * const border = borderFunction((i, n) => (i < 0 ? n + i : i - n));
 * const row = await open({ data: Uint8Array.of(1, 2, 9), shape: [3] });
 * await using context = createContext({ workers: 0 });
 * assertEquals((await mapViews(row, localMaximum(), { border, context })).data, Uint8Array.of(9, 9, 9));
 * ```
 * @category Views
 */
export function borderFunction(
  source: string | URL | BorderMap,
  options: BorderFunctionOptions = {},
): CustomBorder {
  checkOptionNames("borderFunction()", options, OPTIONS);
  if (typeof source === "function") return { export: source.name || "borderFunction", function: source };
  return { module: wholeUrl(source, "use the border"), export: options.export ?? "default" };
}

/** Whether a border contains a function that cannot travel, so that views are loaded on the calling thread. */
export function staysHere(borders: readonly AxisBorder[]): boolean {
  return borders.some((border) => typeof border === "object" && border.function !== undefined);
}

/** URLs of the modules that borders need. */
export function borderModules(borders: readonly AxisBorder[]): string[] {
  const modules = borders.map((border) => typeof border === "object" ? border.module : undefined);
  return [...new Set(modules)].filter((module) => module !== undefined);
}

/** The maps of the borders of all dimensions; imports those of users. */
export async function borderMaps(borders: readonly AxisBorder[]): Promise<readonly BorderMap[]> {
  return await Promise.all(borders.map(async (border) => {
    if (border === "uninitialised") return BORDERS.constant;
    return typeof border === "string" ? BORDERS[border] : checked(border, await functionOf(border));
  }));
}

async function functionOf({ module, export: name, function: own }: CustomBorder): Promise<BorderMap> {
  if (own) return own;
  if (module === undefined) throw new TilewiseError("corrupt", `Border "${name}" is nowhere`);
  const found = await importExport(module, name, "border");
  if (typeof found === "function") return found as BorderMap;
  const text = `Cannot use "${name}" of ${module} as a border: it is not a function, but ${typeof found}`;
  throw new TilewiseError("udf", text, { file: module, found: typeof found });
}

/** The map, whose results are checked: a wrong index would read samples of something else. */
function checked({ export: name }: CustomBorder, map: BorderMap): BorderMap {
  return (i, n) => {
    const found = called(name, map, i, n);
    if (Number.isSafeInteger(found) && found >= -1 && found < n) return found;
    const text = `Border "${name}" shows ${String(found)} at position ${i} of ${n} samples; it must be ` +
      `a whole number from 0 to ${n - 1}, or -1 for the fill value`;
    throw new TilewiseError("udf", text, {
      option: "border",
      expected: `-1 to ${n - 1}`,
      found: String(found),
    });
  };
}

function called(name: string, map: BorderMap, i: number, n: number): number {
  try {
    return map(i, n);
  } catch (cause) {
    const text = `Border "${name}" failed at position ${i} of ${n} samples: ${reasonOf(cause)}`;
    throw new TilewiseError("udf", text, { option: "border" }, { cause });
  }
}
