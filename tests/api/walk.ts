/**
 * Everything that an entry exports, down to the fields of objects that are written out in a type.
 *
 * @module
 */

import type { Declaration, JsDoc, ModuleDoc, Param, Symbol } from "./entries.ts";

/** Something that wants a description. */
export interface Thing {
  /** Its path, such as `Dataset.shape`. */
  readonly path: string;
  /** Whether it has one. */
  readonly documented: boolean;
}

/** A type that a function of the user is called with. */
export interface Handed {
  /** The function, such as `Udf.processTile`. */
  readonly path: string;
  /** The name of the type. */
  readonly type: string;
}

/** A member of a class, an interface or an object type. */
interface Member {
  readonly name?: string;
  readonly jsDoc?: JsDoc;
  readonly accessibility?: string;
  readonly params?: readonly Param[];
  readonly functionDef?: { readonly params?: readonly Param[] };
}

const MEMBERS = ["constructors", "properties", "methods", "callSignatures", "indexSignatures"];

/** Parts of a definition without fields: `extendsType` is what a type is compared with. */
const NO_FIELDS = ["jsDoc", "extendsType"];

/** What must be documented: the symbol, its members, and the fields of all object types in them. */
export function* thingsOf({ name, declarations }: Symbol): Generator<Thing> {
  for (const declaration of signaturesOf(declarations)) {
    yield { path: name, documented: isDocumented(declaration) };
    if (declaration.kind === "namespace") {
      for (const element of declaration.def?.elements ?? []) yield* below(name, thingsOf(element));
    } else yield* below(name, fieldsOf(declaration.def));
  }
}

/** Declarations that a user sees: of a function with overloads, not the one that has the body. */
function signaturesOf(declarations: readonly Declaration[]): Declaration[] {
  const isHidden = ({ kind, def }: Declaration) => kind === "function" && def?.["hasBody"] === true;
  const open = declarations.filter((declaration) => !isHidden(declaration));
  return open.length > 0 ? open : [...declarations];
}

/** Members, and the fields of object types, wherever in a definition. */
function* fieldsOf(part: unknown): Generator<Thing> {
  if (typeof part !== "object" || part === null) return;
  if (Array.isArray(part)) {
    for (const one of part) yield* fieldsOf(one);
    return;
  }
  const members = part as Record<string, readonly Member[] | undefined>;
  for (const kind of MEMBERS) {
    for (const member of membersOf(members, kind)) {
      const name = member.name ?? kind;
      yield { path: name, documented: isDocumented(member) };
      yield* below(name, fieldsOf(member));
    }
  }
  for (const [key, value] of Object.entries(part)) {
    if (![...MEMBERS, ...NO_FIELDS].includes(key)) yield* fieldsOf(value);
  }
}

function membersOf(part: Readonly<Record<string, readonly Member[] | undefined>>, kind: string): Member[] {
  const found = part[kind];
  return Array.isArray(found) ? found.filter(({ accessibility }) => accessibility !== "private") : [];
}

function* below(name: string, things: Iterable<Thing>): Generator<Thing> {
  for (const { path, documented } of things) yield { path: `${name}.${path}`, documented };
}

function isDocumented({ jsDoc }: { readonly jsDoc?: JsDoc }): boolean {
  return (jsDoc?.doc ?? "").trim() !== "";
}

/** The category of a symbol; absent: it has none. */
export function categoryOf({ declarations }: Symbol): string | undefined {
  const tags = declarations.flatMap(({ jsDoc }) => jsDoc?.tags ?? []);
  return tags.find(({ kind }) => kind === "category")?.doc?.trim();
}

/** The types of our own that functions of the user are called with, as far as the exports of a module say so. */
export function* handedTypes({ symbols }: ModuleDoc): Generator<Handed> {
  for (const { name, declarations } of symbols) {
    for (const { kind, def } of signaturesOf(declarations)) {
      if (kind === "namespace") continue;
      if (kind === "interface") yield* ofMethods(name, def);
      yield* ofFunctionTypes(name, def);
    }
  }
}

/** A method of an interface may be one that the user writes. */
function* ofMethods(name: string, def: unknown): Generator<Handed> {
  const { methods = [] } = (def ?? {}) as { readonly methods?: readonly Member[] };
  for (const { name: method, params } of methods) {
    for (const type of namesIn(params ?? [])) yield { path: `${name}.${method}`, type };
  }
}

function* ofFunctionTypes(path: string, part: unknown): Generator<Handed> {
  if (typeof part !== "object" || part === null) return;
  const { kind, value } = part as { readonly kind?: string; readonly value?: { params?: readonly Param[] } };
  if (kind === "fnOrConstructor") {
    for (const type of namesIn(value?.params ?? [])) yield { path, type };
  }
  for (const inner of Object.values(part)) yield* ofFunctionTypes(path, inner);
}

/** The names of our types in the parameters and the results of a function. */
export function signatureTypes({ declarations }: Symbol): string[] {
  const functions = signaturesOf(declarations).filter(({ kind }) => kind === "function");
  return [...new Set(functions.flatMap(({ def }) => namesIn([def?.params, def?.["returnType"]])))];
}

interface Ref {
  readonly typeName: string;
  readonly resolution?: { readonly kind: string };
}

/** The names of our types in a type. */
function namesIn(part: unknown): string[] {
  if (typeof part !== "object" || part === null) return [];
  const { kind, value } = part as { readonly kind?: string; readonly value?: Ref };
  const inner = Object.values(part).flatMap(namesIn);
  const isOurs = kind === "typeRef" && ["local", "import"].includes(value?.resolution?.kind ?? "");
  return isOurs ? [value!.typeName, ...inner] : inner;
}
