/** What Vite needs to know: workers of Tilewise load parts of its code when they are needed, which only modules can. */
export default { worker: { format: "es" } };
