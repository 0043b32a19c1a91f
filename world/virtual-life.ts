import { Ring, type RingMember } from './virtual-ring.ts';

/** Something that a life waits for. */
export interface Pending extends RingMember<Pending> {
  readonly label: string;
}

/**
 * The life of one incarnation of a program in the virtual world. Once severed, as `kill -9` would, nothing that it
 * still waits for happens to it: its promises stay open for ever, its alarms and callbacks are gone.
 */
export class Life {
  readonly name: string;
  /** What it waits for, by label. */
  readonly openings = new Ring<Pending>();
  #isSevered: boolean = false;
  readonly #whenSevered = new Set<() => void>();

  constructor(name: string) {
    this.name = name;
  }

  get isSevered(): boolean {
    return this.#isSevered;
  }

  /** Calls `end` at the severing; the returned function takes that back. */
  onSever(end: () => void): () => void {
    if (this.#isSevered) return () => undefined;
    this.#whenSevered.add(end);
    return () => {
      this.#whenSevered.delete(end);
    };
  }

  sever(): void {
    if (this.#isSevered) return;
    this.#isSevered = true;
    for (const end of this.#whenSevered) end();
    this.#whenSevered.clear();
    this.openings.clear();
  }
}
