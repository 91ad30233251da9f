/**
 * The digest of everything that decides the bytes of a result: array, operation, target, and the version of the code.
 *
 * @module
 */

import { crc32c } from "../../../space/crc32.ts";
import { sha256Of } from "../../../io/hash.ts";
import { VERSION } from "../../../version.ts";
import type { MapPlan } from "../../map/facts.ts";
import type { ChunkTarget } from "../../../sinks/chunks/target.ts";

/**
 * The digest, as hexadecimal digits. Files count by their path, size and times. Runtimes pack in different ways, so they
 * count as well.
 */
export async function digestOf(plan: MapPlan, target: ChunkTarget): Promise<string> {
  const { operation: { operation, params }, facts, views, shape, dtype } = plan;
  const { array, halo, borders, fill } = views;
  const { kind, chunk, levels, reduction, steps, sparse, facts: more } = target;
  const decides = {
    version: VERSION,
    runtime: globalThis.navigator?.userAgent,
    operation: { operation, params, halo: facts.halo },
    views: { array, halo, borders, fill },
    result: { shape, dtype },
    target: { kind, chunk, levels: levels.length, reduction, steps, sparse, more },
  };
  return await sha256Of([new TextEncoder().encode(JSON.stringify(decides, plain))]);
}

/** Arrays in short, and what has no text in words. */
function plain(_key: string, value: unknown): unknown {
  if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value;
    return ["bytes", byteLength, crc32c(new Uint8Array(buffer, byteOffset, byteLength))];
  }
  if (value instanceof Map) return [...value];
  if (typeof value === "bigint" || typeof value === "function") return String(value);
  if (value instanceof Blob) return ["blob", value.size, value.type];
  return value;
}
