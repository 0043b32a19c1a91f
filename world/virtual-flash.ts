import { type Flash, FlashFull, type FlashOperation } from './flash.ts';
import type { Random } from './random.ts';
import { Chip } from './virtual-chip.ts';
import type { Life } from './virtual-life.ts';
import type { VirtualLoop } from './virtual-loop.ts';

/** How long a write takes, drawn for each. It is in force half-way: a crash may fall between that and the answer. */
const SHORTEST_WRITE_MS = 1;
const LONGEST_WRITE_MS = 4;

/** The flash chips of all owners. They belong to the world: neither a reset nor the death of a program empties them. */
export class VirtualFlashChips {
  readonly #chips = new Map<string, Chip>();
  readonly #full = new Set<string>();

  /** The chip of `owner`, which is new and empty at the first call. */
  chip(owner: string): Chip {
    let chip = this.#chips.get(owner);
    if (chip === undefined) {
      chip = new Chip();
      this.#chips.set(owner, chip);
    }
    return chip;
  }

  wipe(owner: string): void {
    this.#chips.delete(owner);
  }

  /** Fault: the last write of `owner` was interrupted half-way. What it wrote is gone, what was before is in force. */
  tearLastWrite(owner: string): void {
    this.chip(owner).tearLastWrite();
  }

  /** Fault: no room for `owner`. Erasing is still possible. */
  setFull(owner: string, isFull: boolean): void {
    if (isFull) this.#full.add(owner);
    else this.#full.delete(owner);
  }

  isFull(owner: string): boolean {
    return this.#full.has(owner);
  }
}

/** Flash as `life` uses it. A write whose life is severed before it is in force leaves nothing. */
export function virtualFlash(loop: VirtualLoop, chips: VirtualFlashChips, random: Random, life: Life): Flash {
  const stream = random.stream(`flash/${life.name}`);
  const lastDueMs = new Map<string, number>();
  let isClosed = false;
  const inTurn = <T>(owner: string, what: string, act: () => T): Promise<T> => {
    const opening = loop.opening<T>(life, `flash ${owner} ${what}`);
    if (isClosed) opening.reject(new Error('The flash is closed.'));
    if (!opening.isOpen) return opening.promise;
    // One owner's calls are carried out in their order.
    const fromMs = Math.max(loop.nowMs, lastDueMs.get(owner) ?? 0);
    const dueMs = fromMs + stream.whole(SHORTEST_WRITE_MS, LONGEST_WRITE_MS);
    lastDueMs.set(owner, dueMs);
    let settle = (): void => undefined;
    const cancels = [
      loop.schedule((fromMs + dueMs) / 2, `flash ${owner} ${what}`, () => {
        if (life.isSevered) return;
        try {
          const result = act();
          settle = () => opening.resolve(result);
        } catch (error) {
          settle = () => opening.reject(error instanceof Error ? error : new Error(String(error)));
        }
      }),
      loop.schedule(dueMs, `flash ${owner} ${what} done`, () => settle()),
    ];
    const forget = life.onSever(() => {
      for (const cancel of cancels) cancel();
    });
    opening.promise.then(forget, forget);
    return opening.promise;
  };
  return {
    load: (owner) => inTurn(owner, 'load', () => chips.chip(owner).pages()),
    write: (owner, operations) => {
      const copies = operations.map(copied);
      return inTurn(owner, 'write', () => {
        if (chips.isFull(owner) && copies.some((operation) => 'put' in operation))
          throw new FlashFull('The flash has no room.');
        chips.chip(owner).write(copies);
      });
    },
    wipe: (owner) => inTurn(owner, 'wipe', () => chips.wipe(owner)),
    close() {
      isClosed = true;
      return Promise.resolve();
    },
  };
}

/** The caller may use its buffer again. */
function copied(operation: FlashOperation): FlashOperation {
  return 'put' in operation ? { put: operation.put, bytes: operation.bytes.slice() } : operation;
}
