/** Copies share buffers of this size: a buffer for each would cost several times the copying. */
const SLAB_BYTES = 16_384;

/**
 * Up to this size V8 keeps the bytes within their object anyway, and a small copy that lives long keeps no
 * slab alive.
 */
const SMALL_BYTES = 64;

let slab = new Uint8Array(SLAB_BYTES);
let usedBytes = 0;

/** A copy of bytes whose buffer the caller may reuse. */
export function copyOf(bytes: Uint8Array): Uint8Array {
  const count = bytes.length;
  if (count <= SMALL_BYTES || count > SLAB_BYTES / 4) return bytes.slice();
  if (usedBytes + count > SLAB_BYTES) {
    slab = new Uint8Array(SLAB_BYTES);
    usedBytes = 0;
  }
  const copy = slab.subarray(usedBytes, usedBytes + count);
  copy.set(bytes);
  usedBytes += count;
  return copy;
}
