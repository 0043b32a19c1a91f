/** Copies lie in stores of this size, side by side: a store for each would cost several times the copying. */
const STORE_BYTES = 16_384;

/** Up to here V8 keeps the bytes beside their object anyway; and one that is kept for long pins no store. */
const SMALL_BYTES = 64;

let store = new Uint8Array(STORE_BYTES);
let usedBytes = 0;

/** A copy of bytes that their owner may use again. */
export function copyOf(bytes: Uint8Array): Uint8Array {
  const count = bytes.length;
  if (count <= SMALL_BYTES || count > STORE_BYTES / 4) return bytes.slice();
  if (usedBytes + count > STORE_BYTES) {
    store = new Uint8Array(STORE_BYTES);
    usedBytes = 0;
  }
  const copy = store.subarray(usedBytes, usedBytes + count);
  copy.set(bytes);
  usedBytes += count;
  return copy;
}
