/**
 * The exports of the module: which generic body becomes a kernel for which sample types and byte orders.
 *
 * AssemblyScript has no macros, so `entrySource` writes the entry file: one line an export, such as
 * `export function sum_frames_u16be(…) { sumFrames<u16>(…, true); }`. Families are declared in `assembly/table/`.
 *
 * @module
 */

import { kernelName } from "../src/kernels/registry.ts";
import type { Pack } from "../src/kernels/families/packs.ts";
import type { Declaration, Families, Params } from "./table/declaration.ts";
import { addressOf, type Variant, variantsOf } from "./table/reading.ts";
import { dtypeInfo } from "../src/space/dtype.ts";

/** One exported kernel: its samples, and how it comes from its family. */
export interface Export extends Variant {
  /** The exported name. */
  readonly name: string;
  /** Its family. */
  readonly family: string;
  /** The pack that it is in. */
  readonly pack: Pack;
  /** Its parameters. */
  readonly params: Params;
  /** The file with its body, and the body. */
  readonly body: readonly [file: string, name: string];
  /** The call that is all it does. */
  readonly call: string;
}

/** Every export of the table, file by file; kernels of float16, which have bodies of their own, are the last of a file. */
export function exportsOf(table: Readonly<Record<string, Families>>): Export[] {
  return Object.values(table).flatMap((families) => {
    const all = Object.entries(families).flatMap(([name, family]) => familyExports(name, family));
    return [
      ...all.filter(({ dtype }) => dtype !== "float16"),
      ...all.filter(({ dtype }) => dtype === "float16"),
    ];
  });
}

function familyExports(family: string, declaration: Declaration): Export[] {
  const { file, pack, params, types, half } = declaration;
  if (types.includes("float16") !== (half !== undefined)) {
    throw new Error(`${family}: float16 among the types and bodies in "half" go together`);
  }
  return variantsOf(declaration).map((variant) => {
    const name = kernelName(family, variant.dtype, variant.order);
    const { body, call } = callOf(declaration, variant);
    return { ...variant, name, family, pack, params, body: [file, body], call };
  });
}

/** The body of a kernel, and the call of it: with a type, unless AssemblyScript has none. */
function callOf({ body, half, params, orders }: Declaration, { dtype, order }: Variant) {
  const names = Object.keys(params);
  if (dtype === "float16") {
    const own = half![order === "big" ? 1 : 0];
    return { body: own, call: `${own}(${names.join(", ")})` };
  }
  const list = [...names, ...(orders ? [order === "big"] : [])];
  return { body, call: `${body}<${dtypeInfo(dtype).short}>(${list.join(", ")})` };
}

/** The source of the entry file. */
export function entrySource(exports: readonly Export[]): string {
  const imports = exports.map(({ body: [file, name] }) => `import { ${name} } from "./kernels/${file}";\n`);
  const lines = exports.map((one) => {
    const list = Object.entries(one.params).map(([name, type]) =>
      `${name}: ${addressOf(type, one) ? "usize" : type}`
    );
    return `export function ${one.name}(${list.join(", ")}): void { ${one.call}; }\n`;
  });
  return [...new Set(imports), ...lines].join("");
}
