/** The public surface as text: a change of it is a change of `api.txt`. */

import { assertEquals } from "@std/assert";

const HERE = new URL("./api.txt", import.meta.url);

/** Every export of `mod.ts` with its kind and, for functions, its parameters. */
async function surface(): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", new URL("../mod.ts", import.meta.url).pathname],
    env: { NO_COLOR: "1" },
  });
  const { code, stdout, stderr } = await command.output();
  if (code !== 0) throw new Error(new TextDecoder().decode(stderr));
  const lines = [...symbols(JSON.parse(new TextDecoder().decode(stdout)))];
  return [...new Set(lines)].sort().join("\n") + "\n";
}

interface Declaration {
  readonly kind: string;
  readonly def?: { readonly params?: readonly { name?: string; kind: string; left?: { name?: string } }[] };
  readonly functionDef?: Declaration["def"];
}

function* symbols(doc: unknown): Generator<string> {
  const nodes = Object.values((doc as { nodes: Record<string, { symbols?: unknown[] }> }).nodes)
    .flatMap((node) => node.symbols ?? [node]);
  for (const node of nodes as { name: string; declarations?: Declaration[]; kind?: string }[]) {
    for (const declaration of node.declarations ?? [node as unknown as Declaration]) {
      yield `${declaration.kind} ${node.name}${parameters(declaration)}`;
    }
  }
}

function parameters({ kind, def, functionDef }: Declaration): string {
  if (kind !== "function") return "";
  const names = ((def ?? functionDef)?.params ?? []).map((param) => param.name ?? param.left?.name ?? "{}");
  return `(${names.join(", ")})`;
}

Deno.test("the public surface is the one in api.txt", async () => {
  const found = await surface();
  if (Deno.env.get("UPDATE") === "1") await Deno.writeTextFile(HERE, found);
  assertEquals(
    found,
    await Deno.readTextFile(HERE),
    "UPDATE=1 deno test -A tests/api_test.ts writes it anew",
  );
});
