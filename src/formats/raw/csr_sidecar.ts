/**
 * What the TOML file of a raw CSR data set says, checked.
 *
 * @module
 */

import { TilewiseError } from "../../errors.ts";
import { type ByteOrder, type DType, dtypeInfo, parseDType } from "../../space/dtype.ts";
import { type Shape, sizeOf } from "../../space/shape.ts";
import { parseToml, type TomlTable, type TomlValue } from "../common/toml.ts";

/** One of the three files. */
export interface CsrFile {
  /** Where it is, from the folder of the description. */
  readonly path: string;
  /** Type of its numbers. */
  readonly dtype: DType;
  /** Their byte order. */
  readonly byteOrder: ByteOrder;
}

/** A description. */
export interface CsrSidecar {
  /** Shape of the scan. */
  readonly navShape: Shape;
  /** Shape of a frame. */
  readonly sigShape: Shape;
  /** Row pointers. */
  readonly indptr: CsrFile;
  /** Columns. */
  readonly indices: CsrFile;
  /** Samples. */
  readonly data: CsrFile;
}

/** Types of columns that kernels read. */
const INDEX_TYPES: readonly DType[] = ["uint16", "int32", "uint32", "int64", "uint64"];

/** Types of row pointers. */
const POINTER_TYPES: readonly DType[] = ["uint8", "int8", "int16", ...INDEX_TYPES];

/** The description in the `bytes` of a file. */
export async function csrSidecar(bytes: Uint8Array, file: string): Promise<CsrSidecar> {
  const root = await parseToml(bytes, file);
  const params = table(root, "params", file);
  const filetype = params.filetype;
  if (typeof filetype !== "string" || filetype.toLowerCase() !== "raw_csr") {
    throw wrong(file, "params.filetype", filetype, '"raw_csr"');
  }
  const csr = table(root, "raw_csr", file);
  return {
    navShape: shape(params, "nav_shape", file),
    sigShape: shape(params, "sig_shape", file),
    indptr: entry(csr, "indptr", file, (dtype) => POINTER_TYPES.includes(dtype), POINTER_TYPES.join(", ")),
    indices: entry(csr, "indices", file, (dtype) => INDEX_TYPES.includes(dtype), INDEX_TYPES.join(", ")),
    data: entry(csr, "data", file, isReal, "a real type"),
  };
}

function isReal(dtype: DType): boolean {
  return dtypeInfo(dtype).kind !== "c";
}

function table(root: TomlTable, key: string, file: string): TomlTable {
  const found = root[key];
  if (typeof found === "object" && !Array.isArray(found)) return found as TomlTable;
  throw wrong(file, `[${key}]`, found, "a table");
}

function shape(params: TomlTable, key: string, file: string): Shape {
  const found = params[key];
  const sizes = Array.isArray(found) ? found as readonly TomlValue[] : [];
  if (sizes.length === 0 || !sizes.every((n) => Number.isSafeInteger(n) && n as number > 0)) {
    throw wrong(file, `params.${key}`, found, "an array of whole numbers from 1");
  }
  sizeOf(sizes as Shape);
  return sizes as Shape;
}

function entry(
  csr: TomlTable,
  name: string,
  file: string,
  accepts: (dtype: DType) => boolean,
  known: string,
): CsrFile {
  const [path, type] = [csr[`${name}_file`], csr[`${name}_dtype`]];
  if (typeof path !== "string" || path === "") throw wrong(file, `raw_csr.${name}_file`, path, "a file name");
  if (typeof type !== "string") throw wrong(file, `raw_csr.${name}_dtype`, type, "a dtype such as <i4");
  const dtype = dtypeOf(type, file, name);
  if (accepts(dtype)) return { path, dtype, byteOrder: type.trim().startsWith(">") ? "big" : "little" };
  const text = `Cannot read ${file}: raw_csr.${name}_dtype is ${dtype}, known here are ${known}`;
  throw new TilewiseError("unsupported", text, { file, found: dtype, expected: known });
}

/** The type of a name; NumPy's letters mean bytes here, as NumPy wrote them. */
function dtypeOf(type: string, file: string, name: string): DType {
  const plain = type.trim();
  try {
    return parseDType(/^[uif]\d$/.test(plain) ? `<${plain}` : plain);
  } catch (cause) {
    const text = `Cannot read ${file}: raw_csr.${name}_dtype: ${(cause as Error).message}`;
    throw new TilewiseError("malformed", text, { file, found: type }, { cause });
  }
}

function shownValue(value: TomlValue): string {
  return JSON.stringify(value, (_, one) => typeof one === "bigint" ? String(one) : one);
}

function wrong(file: string, key: string, found: TomlValue | undefined, expected: string): TilewiseError {
  const shown = found === undefined ? "missing" : shownValue(found);
  return new TilewiseError("malformed", `Cannot read ${file}: ${key} is ${shown}, expected ${expected}`, {
    file,
    key,
    expected,
    found: shown,
  });
}
