import { type Flash, type FlashOperation, LazyPage } from './flash.ts';

/**
 * A flash in the memory of this process: it survives resets of the boxes, and nothing of it the end of the process. A
 * write is durable, in that sense, when its call returns.
 */
export function memoryFlash(): Flash {
  const images = new Map<string, MemoryImage>();
  let isClosed = false;
  const closed = () => Promise.reject(new Error('The flash is closed.'));
  return {
    load: (owner) => (isClosed ? closed() : Promise.resolve(images.get(owner)?.pages() ?? new Map())),
    write: (owner, operations) => {
      if (isClosed) return closed();
      let image = images.get(owner);
      if (image === undefined) {
        image = new MemoryImage();
        images.set(owner, image);
      }
      for (const operation of operations) image.carryOut(operation);
      return WRITTEN;
    },
    wipe: (owner) => {
      if (isClosed) return closed();
      images.delete(owner);
      return WRITTEN;
    },
    close: () => {
      isClosed = true;
      return WRITTEN;
    },
  };
}

const WRITTEN = Promise.resolve();

/**
 * A page as it is kept: bytes as a text with a character for each, which takes a fifth of a small Uint8Array; a lazy
 * page as it is.
 */
type KeptPage = LazyPage | string;

/** An owner with more pages than this has a map of them. */
const FEW_PAGES = 16;

/** The pages of one owner. Most have a handful, for which a map would be the larger part. */
class MemoryImage {
  #few: readonly { readonly key: string; page: KeptPage }[] | undefined = [];
  #many: Map<string, KeptPage> | undefined;

  carryOut(operation: FlashOperation): void {
    if ('put' in operation) this.#put(operation.put, kept(operation));
    else this.#erase(operation.erase);
  }

  pages(): Map<string, Uint8Array> {
    const pages = new Map<string, Uint8Array>();
    for (const [key, page] of this.#many ?? []) pages.set(key, bytesOf(page));
    for (const { key, page } of this.#few ?? []) pages.set(key, bytesOf(page));
    return pages;
  }

  #put(key: string, page: KeptPage): void {
    if (this.#few === undefined) {
      this.#many?.set(key, page);
      return;
    }
    const there = this.#few.find((one) => one.key === key);
    if (there !== undefined) there.page = page;
    // Not added to: an array that grows has room for 17.
    else this.#few = this.#few.concat([{ key, page }]);
    if (this.#few.length <= FEW_PAGES) return;
    this.#many = new Map(this.#few.map((one) => [one.key, one.page]));
    this.#few = undefined;
  }

  #erase(key: string): void {
    this.#many?.delete(key);
    this.#few = this.#few?.filter((one) => one.key !== key);
    if (this.#many === undefined || this.#many.size > 0) return;
    this.#few = [];
    this.#many = undefined;
  }
}

function kept(page: Extract<FlashOperation, { readonly put: string }>): KeptPage {
  if (page instanceof LazyPage) return page;
  const { buffer, byteOffset, byteLength } = page.bytes;
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

function bytesOf(page: KeptPage): Uint8Array {
  return page instanceof LazyPage ? page.bytes : Uint8Array.from(Buffer.from(page, 'latin1'));
}
