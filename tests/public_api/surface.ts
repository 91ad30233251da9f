/** The functions and constructors of the public surface, and the types of their parameters, as `deno doc` has them. */

import config from "../../deno.json" with { type: "json" };

const ROOT = new URL("../../", import.meta.url);

/** Entries whose names stand in front of their functions, as others have functions of the same name. */
const PREFIXED = ["blobs", "channels", "masks", "notebook"];

/** Entries that programs run and do not import from. */
const PROGRAMS = ["cli", "offline", "worker"];

/** The module of each entry, and what stands in front of its functions. */
const MODULES: ReadonlyMap<string, string> = new Map(
  Object.entries(config.exports).flatMap(([entry, path]) => {
    const name = entry.split("/").at(-1)!;
    return PROGRAMS.includes(name) ? [] : [[path, PREFIXED.includes(name) ? `${name}.` : ""]];
  }),
);

interface TsType {
  readonly kind: string;
  readonly value?: unknown;
}

interface Param {
  readonly left?: Param;
  readonly tsType?: TsType;
}

interface Declaration {
  readonly kind: string;
  readonly def?: {
    readonly params?: readonly Param[];
    readonly constructors?: readonly { readonly params: readonly Param[]; readonly accessibility?: string }[];
  };
}

/** The names of the types in the parameters of each function and of each constructor (`new Name`). */
export async function publicCalls(): Promise<Map<string, Set<string>>> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", ...[...MODULES.keys()].map((path) => new URL(path, ROOT).pathname)],
    env: { NO_COLOR: "1" },
  });
  const { code, stdout, stderr } = await command.output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout)) as {
    nodes: Record<string, { symbols: { name: string; declarations: Declaration[] }[] }>;
  };
  const calls = new Map<string, Set<string>>();
  for (const [path, prefix] of MODULES) {
    const { href } = new URL(path, ROOT);
    const there = await import(href) as object;
    for (const { name, declarations } of nodes[href]!.symbols) {
      if (!(name in there)) continue; // only its type is public
      for (const { kind, def } of declarations) {
        if (kind === "function") add(calls, prefix + name, def?.params ?? []);
        if (kind !== "class") continue;
        const open = (def?.constructors ?? []).filter(({ accessibility }) => accessibility !== "private");
        for (const { params } of open) add(calls, `new ${prefix}${name}`, params);
      }
    }
  }
  return calls;
}

function add(calls: Map<string, Set<string>>, name: string, params: readonly Param[]): void {
  const types = calls.get(name) ?? new Set();
  for (const param of params) for (const type of typeNames((param.left ?? param).tsType)) types.add(type);
  calls.set(name, types);
}

/** The names that a type mentions; `{…}` for one that is written out. */
function typeNames(type: unknown): string[] {
  if (typeof type !== "object" || type === null) return [];
  if (Array.isArray(type)) return type.flatMap(typeNames);
  const { kind, value } = type as TsType;
  if (kind === "typeLiteral") return ["{…}"];
  if (kind === "fnOrConstructor" || kind === "literal" || kind === "keyword") return [];
  if (kind !== "typeRef") return typeNames(Object.values(type).filter((part) => typeof part === "object"));
  const { typeName, typeParams } = value as { typeName: string; typeParams?: readonly unknown[] };
  return [typeName, ...typeNames(typeParams)];
}
