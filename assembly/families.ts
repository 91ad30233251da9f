/**
 * The exports of the module: which generic body becomes a kernel for which sample types and byte orders.
 *
 * AssemblyScript has no macros, so `entrySource` writes the entry file: one line an export, such as
 * `export function sum_frames_u16be(…) { sumFrames<u16>(…, true); }`. Families are declared in `src/kernels/table/`.
 *
 * @module
 */

import { type DType, dtypeInfo } from "../src/space/dtype.ts";
import type { Declaration, Families, Params } from "../src/kernels/table/declaration.ts";

/** One exported kernel. */
export interface Export {
  /** The exported name. */
  readonly name: string;
  /** Its family. */
  readonly family: string;
  /** The type of its samples. */
  readonly dtype: DType;
  /** Whether they are big-endian. */
  readonly big: boolean;
  /** The file with its body, and the body. */
  readonly body: readonly [file: string, name: string];
  /** Its parameters. */
  readonly params: Params;
  /** The call that is all it does. */
  readonly call: string;
}

/** Every export of the table, file by file; kernels of float16, which have bodies of their own, are the last of a file. */
export function exportsOf(table: Readonly<Record<string, Families>>): Export[] {
  return Object.values(table).flatMap((families) => {
    const all = Object.entries(families);
    return [...all.flatMap(typedExports), ...all.flatMap(halfExports)];
  });
}

/** The exports whose samples AssemblyScript has a type for. */
function typedExports([name, family]: [string, Declaration]): Export[] {
  const types = family.types.filter((dtype) => dtype !== "float16");
  const typed = (dtype: DType, big: boolean) =>
    oneExport(
      name,
      family,
      dtype,
      big,
      family.body,
      `<${dtypeInfo(dtype).short}>`,
      family.orders ? [`${big}`] : [],
    );
  const bigs = types.filter((dtype) => family.orders && dtypeInfo(dtype).unitSize > 1);
  return [...types.map((dtype) => typed(dtype, false)), ...bigs.map((dtype) => typed(dtype, true))];
}

function halfExports([name, family]: [string, Declaration]): Export[] {
  if (family.types.includes("float16") !== (family.half !== undefined)) {
    throw new Error(`${name}: float16 among the types and bodies in "half" go together`);
  }
  return (family.half ?? []).map((body, big) => oneExport(name, family, "float16", big === 1, body, "", []));
}

function oneExport(
  name: string,
  { file, params }: Declaration,
  dtype: DType,
  big: boolean,
  body: string,
  type: string,
  more: readonly string[],
): Export {
  return {
    name: `${name}_${dtypeInfo(dtype).short}${big ? "be" : ""}`,
    family: name,
    dtype,
    big,
    body: [file, body],
    params,
    call: `${body}${type}(${[...Object.keys(params), ...more].join(", ")})`,
  };
}

/** The source of the entry file. */
export function entrySource(exports: readonly Export[]): string {
  const imports = exports.map(({ body: [file, name] }) => `import { ${name} } from "./kernels/${file}";\n`);
  const lines = exports.map(({ name, params, call }) => {
    const list = Object.entries(params).map(([param, type]) => `${param}: ${wasmType(type)}`);
    return `export function ${name}(${list.join(", ")}): void { ${call}; }\n`;
  });
  return [...new Set(imports), ...lines].join("");
}

/** The type of a parameter in AssemblyScript: addresses are `usize`. */
function wasmType(type: Params[string]): string {
  return type.includes(" ") ? "usize" : type;
}
