/** placeholder @module */
export {};
