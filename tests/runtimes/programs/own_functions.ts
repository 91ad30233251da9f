/** Functions of a user that kernels call, in a module of their own that imports nothing: runners of a page have no import map. */

/** What `remote(["f64", "f64"], "f64", …)` makes, written out. */
export const functions = {
  hypotenuse: {
    args: ["f64", "f64"],
    result: "f64",
    run: async (a: number, b: number): Promise<number> => await Promise.resolve(Math.sqrt(a * a + b * b)),
  },
};
