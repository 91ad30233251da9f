/**
 * Reads the notebooks of `examples/notebooks`.
 *
 * @module
 */

/** One notebook. */
export interface Notebook {
  /** Its file name. */
  readonly name: string;
  /** The text of its code cells. */
  readonly code: readonly string[];
  /** Whether a cell has kept its output: those do not belong into the repository. */
  readonly hasOutputs: boolean;
}

const FOLDER = new URL("../../examples/notebooks/", import.meta.url);

interface Cell {
  readonly cell_type: string;
  readonly source: readonly string[];
  readonly outputs?: readonly unknown[];
}

/** All notebooks. */
export function notebooks(): Notebook[] {
  const names = [...Deno.readDirSync(FOLDER)].map(({ name }) => name).filter((name) =>
    name.endsWith(".ipynb")
  );
  return names.toSorted().map((name) => {
    const { cells } = JSON.parse(Deno.readTextFileSync(new URL(name, FOLDER))) as { cells: Cell[] };
    const code = cells.filter(({ cell_type }) => cell_type === "code");
    return {
      name,
      code: code.map(({ source }) => source.join("")),
      hasOutputs: code.some(({ outputs }) => (outputs ?? []).length > 0),
    };
  });
}

/** What cells define, of which some `names` are asked for: the cells run as one module. */
export async function importCells<Names>(code: readonly string[], names: readonly string[]): Promise<Names> {
  const cells = code.join(";\n\n").replaceAll(/\bshow\((\w+)\)/g, "show($1, { display() {} })"); // there is no page
  const text = `${cells};\n\nexport { ${names.join(", ")} };\n`;
  return await import(`data:application/typescript;charset=utf-8,${encodeURIComponent(text)}`);
}
