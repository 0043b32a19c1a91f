/**
 * Flash memory of many owners (boxes): small pages under keys, that outlive a reset, a crash and `kill -9`.
 * A page whose write was torn is found by its checksum and gone at the next load (the page's older content, where
 * there was one, is then in force).
 */
export interface Flash {
  /** All whole pages of `owner`, in the order in which their keys were first written. Empty for a new owner. */
  load(owner: string): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Carries out `operations` in order, all or none; resolves once they are durable. Rejects with `FlashFull` where
   * the medium has no room: then nothing was written.
   */
  write(owner: string, operations: readonly FlashOperation[]): Promise<void>;
  /** Erases everything of `owner`. */
  wipe(owner: string): Promise<void>;
  /** Ends the use of the medium; what was resolved before stays. */
  close(): Promise<void>;
}

export type FlashOperation =
  | { readonly put: string; readonly bytes: Uint8Array }
  | { readonly erase: string };

/**
 * A page that is packed only when its bytes are asked for. `pack` gives new bytes each time, always the same ones:
 * nothing that it reads may change. A medium that keeps objects in memory may keep the page as it is, and most pages
 * are written over before anybody has read them.
 */
export class LatePage {
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

/** A newer version wrote the medium. Nothing in it was touched. */
export class FlashTooNew extends Error {
  override readonly name = 'FlashTooNew';
}

/** What is there is no flash of ours, or cannot be read. */
export class FlashBroken extends Error {
  override readonly name = 'FlashBroken';
}
