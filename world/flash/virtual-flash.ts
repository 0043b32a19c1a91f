import { LinkedList, type ListMember } from '../loop/virtual-linked-list.ts';
import type { EventHandler, VirtualLoop } from '../loop/virtual-loop.ts';
import type { ProcessScope } from '../loop/virtual-process-scope.ts';
import type { Random } from '../random/random.ts';
import { type Flash, FlashFull, type FlashOperation, LazyPage } from './flash.ts';
import { FlashImage } from './virtual-flash-image.ts';

/**
 * How long a write takes, drawn for each. It is durable half-way, so that a crash may fall between that and
 * the answer.
 */
const SHORTEST_WRITE_MS = 1;
const LONGEST_WRITE_MS = 4;

/**
 * The flash images of all owners. They belong to the world: neither a reset nor the end of a program deletes
 * them.
 */
export class VirtualFlashImages {
  readonly #images = new Map<string, FlashImage>();
  readonly #full = new Set<string>();

  /** The image of `owner`, which is new and empty at the first call. */
  image(owner: string): FlashImage {
    let image = this.#images.get(owner);
    if (image === undefined) {
      image = new FlashImage();
      this.#images.set(owner, image);
    }
    return image;
  }

  wipe(owner: string): void {
    this.#images.delete(owner);
  }

  /**
   * Fault: the last write of `owner` was interrupted half-way. It is lost, and the older content is returned.
   */
  tearLastWrite(owner: string): void {
    this.image(owner).tearLastWrite();
  }

  /** Fault: no space left for `owner`. Erasing is still possible. */
  setFull(owner: string, isFull: boolean): void {
    if (isFull) this.#full.add(owner);
    else this.#full.delete(owner);
  }

  isFull(owner: string): boolean {
    return this.#full.has(owner);
  }
}

/** The pending calls of one owner. */
interface OwnerQueue {
  /** When the last call is carried out. */
  lastDueMs: number;
  readonly labels: { readonly load: string; readonly write: string; readonly wipe: string };
}

/** A pending call. */
interface FlashCall extends ListMember<FlashCall> {
  readonly durableMs: number;
  readonly act: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Flash as `scope` uses it. A write whose scope is killed before it is durable writes nothing; if the scope
 * is killed between that and the answer, the write is durable.
 */
export function virtualFlash(
  loop: VirtualLoop,
  flashImages: VirtualFlashImages,
  random: Random,
  scope: ProcessScope,
): Flash {
  const stream = random.stream(`flash/${scope.name}`);
  const queues = new Map<string, OwnerQueue>();
  const underWay = new LinkedList<FlashCall>();
  let isClosed = false;
  // One event for both: between them only the end of this scope can affect what is durable.
  const medium: EventHandler<FlashCall> = {
    handle(call) {
      underWay.remove(call);
      try {
        call.resolve(call.act() as never);
      } catch (error) {
        call.reject(error instanceof Error ? error : new Error(String(error)));
      }
      return true;
    },
  };
  scope.onKill(() => {
    loop.cancelAll(medium);
    for (const { durableMs, act } of underWay) {
      if (loop.nowMs < durableMs) continue;
      try {
        act();
      } catch {
        // The caller has ended.
      }
    }
    underWay.clear();
  });
  const enqueue = <T>(owner: string, what: keyof OwnerQueue['labels'], act: () => T): Promise<T> =>
    // The loop need not count this promise as pending: an event will settle it.
    new Promise((resolve, reject) => {
      if (scope.isKilled) return;
      if (isClosed) {
        reject(new Error('The flash is closed.'));
        return;
      }
      let queue = queues.get(owner);
      if (queue === undefined) {
        queue = queueOf(owner);
        queues.set(owner, queue);
      }
      // The calls of one owner are carried out in order.
      const fromMs = Math.max(loop.nowMs, queue.lastDueMs);
      const dueMs = fromMs + stream.whole(SHORTEST_WRITE_MS, LONGEST_WRITE_MS);
      queue.lastDueMs = dueMs;
      const call: FlashCall = {
        durableMs: Math.ceil((fromMs + dueMs) / 2),
        act,
        resolve,
        reject,
        before: undefined,
        after: undefined,
      };
      underWay.add(call);
      loop.scheduleEvent(dueMs, queue.labels[what], medium, call);
    });
  return {
    load: (owner) => enqueue(owner, 'load', () => flashImages.image(owner).pages()),
    write: (owner, operations) => {
      const copies = operations.map(copied);
      return enqueue(owner, 'write', () => {
        if (flashImages.isFull(owner) && copies.some((operation) => 'put' in operation))
          throw new FlashFull('The flash has no room.');
        flashImages.image(owner).write(copies);
      });
    },
    wipe: (owner) => enqueue(owner, 'wipe', () => flashImages.wipe(owner)),
    close() {
      isClosed = true;
      return Promise.resolve();
    },
  };
}

function queueOf(owner: string): OwnerQueue {
  const labels = { load: `flash ${owner} load`, write: `flash ${owner} write`, wipe: `flash ${owner} wipe` };
  return { lastDueMs: 0, labels };
}

/** The caller may reuse its buffer; a lazy page never changes. */
function copied(operation: FlashOperation): FlashOperation {
  if (operation instanceof LazyPage || !('put' in operation)) return operation;
  return { put: operation.put, bytes: operation.bytes.slice() };
}
