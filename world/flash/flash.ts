/**
 * Flash memory of many owners (boxes): small pages by key that survive a reset, a crash and `kill -9`. A page
 * whose write was interrupted is detected by its checksum and missing at the next load; its older content, if
 * any, is returned instead.
 */
export interface Flash {
  /**
   * All intact pages of `owner`, in the order in which their keys were first written. Empty for a new owner.
   */
  load(owner: string): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Carries out `operations` in order, all or none; resolves once they are durable. Rejects with `FlashFull`
   * if the medium has no space left: then nothing was written.
   */
  write(owner: string, operations: readonly FlashOperation[]): Promise<void>;
  /** Erases everything of `owner`. */
  wipe(owner: string): Promise<void>;
  /** Closes the medium; everything that was resolved before stays. */
  close(): Promise<void>;
}

export type FlashOperation =
  | { readonly put: string; readonly bytes: Uint8Array }
  | { readonly erase: string };

/**
 * A page that is encoded only when its bytes are needed. `pack` returns a new array with the same bytes each
 * time, so its input must not change. A medium in memory may keep the page as it is; most pages are
 * overwritten before they are read.
 */
export class LazyPage {
  readonly put: string;
  readonly #pack: () => Uint8Array;

  constructor(put: string, pack: () => Uint8Array) {
    this.put = put;
    this.#pack = pack;
  }

  get bytes(): Uint8Array {
    return this.#pack();
  }
}

export class FlashFull extends Error {
  override readonly name = 'FlashFull';
}

/** Another process uses the medium. */
export class FlashInUse extends Error {
  override readonly name = 'FlashInUse';
}

/** The medium was written by a newer version. Nothing in it was changed. */
export class FlashTooNew extends Error {
  override readonly name = 'FlashTooNew';
}

/** The file is not a flash file of this program, or cannot be read. */
export class FlashBroken extends Error {
  override readonly name = 'FlashBroken';
}
