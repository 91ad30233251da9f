/**
 * What a program must be like: checked before it runs, so that a wrong one is refused with a reason.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { reasonOf } from "../../reason.ts";
import { formatBytes } from "../../space/size.ts";
import { leb, lebBytes, sectionsOf, withSection } from "../../user_kernels/inspect.ts";
import { isWasiName, WASI_MODULE } from "./common/codes.ts";

const MEMORY_SECTION = 5;
const PAGE = 65536;

/** Most bytes that addresses of 32 bits reach. */
const MOST_MEMORY = 2 ** 32;

/** A program that can run. */
interface CheckedProgram {
  /** The module, with a limit of its memory. */
  readonly module: WebAssembly.Module;
  /** Most bytes of its memory. */
  readonly memory: number;
}

/** What a memory section says, in pages. */
interface MemoryLimits {
  readonly initial: number;
  /** Absent: there is none. */
  readonly maximum?: number;
  /** The bytes of the module that say it. */
  readonly range: readonly [number, number];
}

/**
 * A program that has at most `limit` bytes of memory: a module that says no maximum gets that one, and finds its memory full
 * beyond it. Errors: `malformed` if it is not a module, `unsupported` for a module that is not a program of WASI preview 1,
 * `over-budget` if it needs more.
 */
export async function checkProgram(
  bytes: Uint8Array,
  limit: number,
  program: string,
): Promise<CheckedProgram> {
  const module = await compiled(bytes, program);
  checkFaces(module, program);
  const limits = memoryOf(bytes, program);
  const asked = (limits.maximum ?? limits.initial) * PAGE;
  if (asked > limit) {
    const which = limits.maximum === undefined ? "starts with" : "may take";
    const text = `Cannot run ${program}: its memory ${which} ${formatBytes(asked)}, more than the ${
      formatBytes(limit)
    } that it may have; link it with a smaller --max-memory, or raise the option "memory" and the budget of the context`;
    throw new TilewiseError("over-budget", text, {
      program,
      found: asked,
      expected: limit,
      option: "memory",
    });
  }
  if (limits.maximum !== undefined) return { module, memory: asked };
  const pages = Math.floor(Math.min(limit, MOST_MEMORY) / PAGE);
  return { module: await WebAssembly.compile(withMaximum(bytes, limits, pages)), memory: pages * PAGE };
}

/** What follows the magic number of a component, in place of the version of a module. */
const COMPONENT = [0x0d, 0, 1, 0];

async function compiled(bytes: Uint8Array, program: string): Promise<WebAssembly.Module> {
  if (COMPONENT.every((byte, i) => bytes[4 + i] === byte)) {
    const text =
      `Cannot run ${program}: it is a component, as of WASI preview 2 and 3, not a module; compile it for ` +
      "wasm32-wasip1, also known as wasm32-wasi";
    throw new TilewiseError("unsupported", text, { program, found: "component", expected: "module" });
  }
  try {
    return await WebAssembly.compile(bytes.slice());
  } catch (cause) {
    const text = `Cannot run ${program}: it is not a WebAssembly module: ${reasonOf(cause)}`;
    throw new TilewiseError("malformed", text, { program }, { cause });
  }
}

/** Checks imports and exports. */
function checkFaces(module: WebAssembly.Module, program: string): void {
  const unsupported = (why: string) =>
    new TilewiseError(
      "unsupported",
      `Cannot run ${program}: ${why}; it must be a program for wasm32-wasip1, also known as wasm32-wasi`,
      { program },
    );
  const foreign = WebAssembly.Module.imports(module)
    .filter(({ module: from, name, kind }) =>
      from !== WASI_MODULE || kind !== "function" || !isWasiName(name)
    )
    .map(({ module: from, name }) => `${from}.${name}`);
  if (foreign.length > 0) throw unsupported(`it imports ${foreign.slice(0, 5).join(", ")}`);
  const kinds = new Map(WebAssembly.Module.exports(module).map(({ name, kind }) => [name, kind]));
  if (kinds.get("_start") !== "function") throw unsupported("it has no function _start to run");
  if (kinds.get("memory") !== "memory") throw unsupported('it does not export its memory as "memory"');
}

/** The limits of the only memory of a module. Errors: `unsupported` for shared memory and addresses of 64 bits. */
function memoryOf(bytes: Uint8Array, program: string): MemoryLimits {
  const section = sectionsOf(bytes).get(MEMORY_SECTION);
  const count = section && leb(bytes, section.start);
  const flags = count && bytes[count.next]!;
  if (!count || count.value !== 1 || flags! > 1) {
    const text =
      `Cannot run ${program}: it must have one memory of its own, not shared, with addresses of 32 bits`;
    throw new TilewiseError("unsupported", text, { program });
  }
  const initial = leb(bytes, count.next + 1);
  if (flags === 0) return { initial: initial.value, range: [section!.header, section!.end] };
  const maximum = leb(bytes, initial.next);
  return { initial: initial.value, maximum: maximum.value, range: [section!.header, section!.end] };
}

/** The module with a maximum of its memory. */
function withMaximum(
  bytes: Uint8Array,
  { initial, range }: MemoryLimits,
  pages: number,
): Uint8Array<ArrayBuffer> {
  const [header, end] = range;
  return withSection(bytes, { header, end }, MEMORY_SECTION, [
    1,
    1,
    ...lebBytes(initial),
    ...lebBytes(pages),
  ]);
}
