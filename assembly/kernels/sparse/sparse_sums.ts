// Sums over CSR tiles (see sparse.ts), with the bits that the dense kernels give on the same samples: zeros change no
// sum, so what counts is the order of the others and the lanes they go to.
//
//   csr_sum_frames   acc[p] += v, frame after frame
//   csr_sum_pixels   integers: exact; floats: 8 lanes a row of the frame, as sum_pixels
//   csr_dot_seq      an entry after the other in f64, as dot_sparse
//   csr_dot_i16      exact; csr_dot_f32, csr_dot_f64: 4 or 2 lanes a piece of 1024 samples of a row, as dot_f32, dot_f64
//
// Masks come by one after another, and all frames of the tile meet each: a mask stays in the cache for them.

const PIECE: i32 = 1024;

// @ts-ignore: decorator
@inline function int(p: usize, i: i32): i32 {
  return load<i32>(p + (<usize>i << 2));
}

// @ts-ignore: decorator
@inline export function csrSumFrames<T>(acc: usize, indptr: usize, indices: usize, data: usize, frames: i32): void {
  for (let e = int(indptr, 0), to = int(indptr, frames); e < to; e++) {
    const at = acc + (<usize>int(indices, e) << 3);
    store<f64>(at, load<f64>(at) + <f64>load<T>(data + <usize>e * sizeof<T>()));
  }
}

// @ts-ignore: decorator
@inline export function csrSumPixels<T>(out: usize, outStride: usize, indptr: usize, indices: usize, data: usize, frames: i32, rowLength: i32, lanes: usize): void {
  for (let f = 0; f < frames; f++, out += outStride) {
    let e = int(indptr, f);
    const to = int(indptr, f + 1);
    if (isInteger<T>() && sizeof<T>() <= 4) {
      let sum: i64 = 0;
      for (; e < to; e++) sum += <i64>load<T>(data + <usize>e * sizeof<T>());
      store<f64>(out, load<f64>(out) + <f64>sum);
      continue;
    }
    let sum = load<f64>(out);
    while (e < to) { // a row
      const start = int(indices, e) / rowLength * rowLength;
      memory.fill(lanes, 0, 64);
      for (; e < to; e++) {
        const x = int(indices, e) - start;
        if (x >= rowLength) break;
        const lane = lanes + (<usize>(x & 7) << 3);
        store<f64>(lane, load<f64>(lane) + <f64>load<T>(data + <usize>e * sizeof<T>()));
      }
      const l04 = load<f64>(lanes) + load<f64>(lanes, 32), l15 = load<f64>(lanes, 8) + load<f64>(lanes, 40);
      const l26 = load<f64>(lanes, 16) + load<f64>(lanes, 48), l37 = load<f64>(lanes, 24) + load<f64>(lanes, 56);
      sum += (l04 + l26) + (l15 + l37);
    }
    store<f64>(out, sum);
  }
}

// @ts-ignore: decorator
@inline export function csrDotI16<T>(out: usize, outStride: usize, indptr: usize, indices: usize, data: usize, frames: i32, masks: usize, maskCount: i32, maskStride: usize): void {
  for (let m = 0; m < maskCount; m++) {
    const weights = masks + <usize>m * maskStride;
    let at = out + (<usize>m << 3);
    for (let f = 0; f < frames; f++, at += outStride) {
      const from = int(indptr, f), to = int(indptr, f + 1);
      let sum: i64 = 0;
      for (let e = from; e < to; e++) {
        sum += <i64>(<i32>load<T>(data + <usize>e * sizeof<T>()) * <i32>load<i16>(weights + (<usize>int(indices, e) << 1)));
      }
      store<f64>(at, load<f64>(at) + <f64>sum);
    }
  }
}

// @ts-ignore: decorator
@inline export function csrDotF32<T>(out: usize, outStride: usize, indptr: usize, indices: usize, data: usize, frames: i32, masks: usize, maskCount: i32, maskStride: usize, rowLength: i32): void {
  for (let m = 0; m < maskCount; m++) {
    const weights = masks + <usize>m * maskStride;
    let at = out + (<usize>m << 3);
    for (let f = 0; f < frames; f++, at += outStride) {
      const from = int(indptr, f), to = int(indptr, f + 1);
      for (let e = from; e < to;) {
        const start = pieceStart(int(indices, e), rowLength), end = pieceEnd(start, rowLength);
        let l0: f32 = 0, l1: f32 = 0, l2: f32 = 0, l3: f32 = 0;
        for (; e < to; e++) {
          const p = int(indices, e);
          if (p >= end) break;
          const weight = load<f32>(weights + (<usize>p << 2));
          if (weight == 0) continue; // as in dot_lanes.ts
          const product = <f32>load<T>(data + <usize>e * sizeof<T>()) * weight;
          const lane = (p - start) & 3;
          if (lane == 0) l0 += product;
          else if (lane == 1) l1 += product;
          else if (lane == 2) l2 += product;
          else l3 += product;
        }
        store<f64>(at, load<f64>(at) + ((<f64>l0 + <f64>l2) + (<f64>l1 + <f64>l3)));
      }
    }
  }
}

// @ts-ignore: decorator
@inline export function csrDotF64<T>(out: usize, outStride: usize, indptr: usize, indices: usize, data: usize, frames: i32, masks: usize, maskCount: i32, maskStride: usize, rowLength: i32): void {
  for (let m = 0; m < maskCount; m++) {
    const weights = masks + <usize>m * maskStride;
    let at = out + (<usize>m << 3);
    for (let f = 0; f < frames; f++, at += outStride) {
      const from = int(indptr, f), to = int(indptr, f + 1);
      for (let e = from; e < to;) {
        const start = pieceStart(int(indices, e), rowLength), end = pieceEnd(start, rowLength);
        let l0: f64 = 0, l1: f64 = 0;
        for (; e < to; e++) {
          const p = int(indices, e);
          if (p >= end) break;
          const weight = load<f64>(weights + (<usize>p << 3));
          if (weight == 0) continue;
          const product = <f64>load<T>(data + <usize>e * sizeof<T>()) * weight;
          if ((p - start) & 1) l1 += product;
          else l0 += product;
        }
        store<f64>(at, load<f64>(at) + (l0 + l1));
      }
    }
  }
}

// @ts-ignore: decorator
@inline export function csrDotSeq<T>(out: usize, outStride: usize, indptr: usize, indices: usize, data: usize, frames: i32, masks: usize, maskCount: i32, maskStride: usize): void {
  for (let m = 0; m < maskCount; m++) {
    const weights = masks + <usize>m * maskStride;
    let at = out + (<usize>m << 3);
    for (let f = 0; f < frames; f++, at += outStride) {
      const from = int(indptr, f), to = int(indptr, f + 1);
      let sum = load<f64>(at);
      for (let e = from; e < to; e++) {
        const weight = load<f64>(weights + (<usize>int(indices, e) << 3));
        if (weight != 0) sum += <f64>load<T>(data + <usize>e * sizeof<T>()) * weight;
      }
      store<f64>(at, sum);
    }
  }
}

/** The first pixel of the piece of a row that pixel `p` is in. */
// @ts-ignore: decorator
@inline function pieceStart(p: i32, rowLength: i32): i32 {
  const x = p % rowLength;
  return p - x + (x & ~(PIECE - 1));
}

/** One past the last pixel of the piece that starts at `start`. */
// @ts-ignore: decorator
@inline function pieceEnd(start: i32, rowLength: i32): i32 {
  return min(start + PIECE, start - start % rowLength + rowLength);
}
