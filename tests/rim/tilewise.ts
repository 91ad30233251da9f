/** All that the entries export, as one module: those of masks, blobs, channels and the notebook by the names of their entries. */

export * from "@tilewise/tilewise";
export * from "@tilewise/tilewise/analyses";
export * from "@tilewise/tilewise/arrays";
export * from "@tilewise/tilewise/formats";
export * from "@tilewise/tilewise/hypercube";
export * from "@tilewise/tilewise/kernels";
export * from "@tilewise/tilewise/observations";
export * from "@tilewise/tilewise/results";
export * from "@tilewise/tilewise/rime";
export * from "@tilewise/tilewise/run";
export * from "@tilewise/tilewise/testing";
export * from "@tilewise/tilewise/udf";
export * from "@tilewise/tilewise/views";
export * from "@tilewise/tilewise/web";
export * as blobs from "@tilewise/tilewise/blobs";
export * as masks from "@tilewise/tilewise/masks";
