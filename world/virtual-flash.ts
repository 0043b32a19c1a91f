import { type Flash, FlashFull, type FlashOperation, LatePage } from './flash.ts';
import type { Random } from './random.ts';
import { Chip } from './virtual-chip.ts';
import type { Life } from './virtual-life.ts';
import type { Actor, VirtualLoop } from './virtual-loop.ts';
import { Ring, type RingMember } from './virtual-ring.ts';

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

/** What the flash knows of one owner's calls. */
interface Queue {
  /** When the last call is carried out. */
  lastDueMs: number;
  readonly labels: { readonly load: string; readonly write: string; readonly wipe: string };
}

/** A call that is under way. */
interface Call extends RingMember<Call> {
  readonly inForceMs: number;
  readonly act: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Flash as `life` uses it. A write whose life is severed before it is in force leaves nothing; one whose life is
 * severed between that and the answer is in force all the same.
 */
export function virtualFlash(loop: VirtualLoop, chips: VirtualFlashChips, random: Random, life: Life): Flash {
  const stream = random.stream(`flash/${life.name}`);
  const queues = new Map<string, Queue>();
  const underWay = new Ring<Call>();
  let isClosed = false;
  // One event for both: between them only the end of this life can tell what is in force.
  const medium: Actor<Call> = {
    happen(call) {
      underWay.remove(call);
      try {
        call.resolve(call.act() as never);
      } catch (error) {
        call.reject(error instanceof Error ? error : new Error(String(error)));
      }
      return true;
    },
  };
  life.onSever(() => {
    loop.takeBackAll(medium);
    for (const { inForceMs, act } of underWay) {
      if (loop.nowMs < inForceMs) continue;
      try {
        act();
      } catch {
        // Nobody is there to hear of it.
      }
    }
    underWay.clear();
  });
  const inTurn = <T>(owner: string, what: keyof Queue['labels'], act: () => T): Promise<T> =>
    // Nobody waits for it without an event of the loop to come, so that the loop need not know of the promise.
    new Promise((resolve, reject) => {
      if (life.isSevered) return;
      if (isClosed) {
        reject(new Error('The flash is closed.'));
        return;
      }
      let queue = queues.get(owner);
      if (queue === undefined) {
        queue = queueOf(owner);
        queues.set(owner, queue);
      }
      // One owner's calls are carried out in their order.
      const fromMs = Math.max(loop.nowMs, queue.lastDueMs);
      const dueMs = fromMs + stream.whole(SHORTEST_WRITE_MS, LONGEST_WRITE_MS);
      queue.lastDueMs = dueMs;
      const call: Call = {
        inForceMs: Math.ceil((fromMs + dueMs) / 2),
        act,
        resolve,
        reject,
        before: undefined,
        after: undefined,
      };
      underWay.add(call);
      loop.plan(dueMs, queue.labels[what], medium, call);
    });
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

function queueOf(owner: string): Queue {
  const labels = { load: `flash ${owner} load`, write: `flash ${owner} write`, wipe: `flash ${owner} wipe` };
  return { lastDueMs: 0, labels };
}

/** The caller may use its buffer again; a late page never changes. */
function copied(operation: FlashOperation): FlashOperation {
  if (operation instanceof LatePage || !('put' in operation)) return operation;
  return { put: operation.put, bytes: operation.bytes.slice() };
}
