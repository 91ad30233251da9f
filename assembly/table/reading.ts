/**
 * What a declaration means: the kernels of a family, and the words of a parameter.
 *
 * @module
 */

import { type ByteOrder, type DType, dtypeInfo, floatOf } from "../../src/space/dtype.ts";
import type { Content, Declaration, Params, Role } from "./declaration.ts";

/** Sample type and byte order of a kernel. */
export interface Variant {
  /** The type of its samples. */
  readonly dtype: DType;
  /** Their byte order. */
  readonly order: ByteOrder;
}

/** The kernels of a family: for all types, then big-endian ones, for types of more than a byte. */
export function variantsOf({ types, orders }: Declaration): Variant[] {
  const big = types.filter((dtype) => orders && dtypeInfo(dtype).unitSize > 1);
  return [
    ...types.map((dtype): Variant => ({ dtype, order: "little" })),
    ...big.map((dtype): Variant => ({ dtype, order: "big" })),
  ];
}

/** What a kernel does at an address, and what lies there. */
export interface Address extends Variant {
  /** What it does there. */
  readonly role: Role;
}

/** What a parameter says to a kernel of this type and byte order, if it is an address. */
export function addressOf(type: Params[string], { dtype, order }: Variant): Address | undefined {
  const [role, ...words] = type.split(" ");
  if (words.length === 0) return undefined;
  const content = words.join(" ") as Content;
  return { role: role as Role, dtype: typeOf(content, dtype), order: content === "T" ? order : "little" };
}

function typeOf(content: Content, dtype: DType): DType {
  if (content === "float of T") return floatOf(dtype);
  return content === "T" || content === "native T" ? dtype : content;
}
