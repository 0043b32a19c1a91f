import { isRecordKey } from '../../../../simulator/firmware/core/pages.ts';
import type { Flash, FlashOperation } from '../../../../world/flash/flash.ts';
import { sleep, type Time } from '../../../../world/time/time.ts';
import { FaultLayers } from './fault-layers.ts';

/** How much of an interrupted write reaches the flash: nothing, or half of it. */
export type InterruptedWrite = 'lost' | 'torn';

interface ArmedInterruption {
  readonly kind: InterruptedWrite;
  readonly onEffect: () => void;
}

/** The parts of the world that an interruption needs. */
export interface FlashFaultWorld {
  /** Leaves half of the box's last write in its flash. */
  readonly tearLastWrite: (boxId: string) => void;
  /** Cuts the power of a box for a moment. */
  readonly losePower: (boxId: string) => void;
}

/**
 * Faults of the flash that the boxes write to: slow writes, and writes in which the power fails. Only writes with a
 * record are interrupted. Each interruption happens once.
 */
export class FlashFaults {
  readonly #world: FlashFaultWorld;
  readonly #armed = new Map<string, ArmedInterruption[]>();
  readonly #slowMs = new Map<string, number>();
  /** How many writes of each box were slow. */
  readonly #slowWrites = new Map<string, number>();
  readonly #slowLayers = new FaultLayers<number>((boxId, values) => {
    if (values.length === 0) this.#slowMs.delete(boxId);
    else this.#slowMs.set(boxId, Math.max(...values));
  });

  constructor(world: FlashFaultWorld) {
    this.#world = world;
  }

  /** Delays every write of these boxes by this time, until the returned function is called. */
  addSlow(boxIds: readonly string[], byMs: number): () => void {
    return this.#slowLayers.add(boxIds, byMs);
  }

  /** How many writes of these boxes were slow so far. */
  slowWritesOf(boxIds: readonly string[]): number {
    return boxIds.reduce((sum, boxId) => sum + (this.#slowWrites.get(boxId) ?? 0), 0);
  }

  /** The next write of a record of each box is interrupted; the returned function disarms the others. */
  interruptNext(boxIds: readonly string[], kind: InterruptedWrite, onEffect: () => void): () => void {
    const interruption = { kind, onEffect };
    for (const boxId of boxIds) this.#armed.set(boxId, [...(this.#armed.get(boxId) ?? []), interruption]);
    return () => {
      for (const boxId of boxIds) this.#disarm(boxId, interruption);
    };
  }

  /** The same flash, with these faults. */
  wrap(flash: Flash, time: Time): Flash {
    return {
      load: (owner) => flash.load(owner),
      // Nearly always there is no fault.
      write: (owner, operations) =>
        this.#slowMs.has(owner) || this.#armed.has(owner)
          ? this.#write(flash, time, owner, operations)
          : flash.write(owner, operations),
      wipe: (owner) => flash.wipe(owner),
      close: () => flash.close(),
    };
  }

  async #write(
    flash: Flash,
    time: Time,
    owner: string,
    operations: readonly FlashOperation[],
  ): Promise<void> {
    const slowMs = this.#slowMs.get(owner);
    if (slowMs !== undefined) {
      this.#slowWrites.set(owner, (this.#slowWrites.get(owner) ?? 0) + 1);
      await sleep(time, slowMs);
    }
    const interruption = operations.some(isOfRecord) ? this.#armed.get(owner)?.[0] : undefined;
    if (interruption === undefined) return flash.write(owner, operations);
    this.#disarm(owner, interruption);
    if (interruption.kind === 'torn') {
      await flash.write(owner, operations);
      this.#world.tearLastWrite(owner);
    }
    // The writer must have its promise before its power fails.
    else await Promise.resolve();
    interruption.onEffect();
    this.#world.losePower(owner);
    return new Promise(() => undefined);
  }

  #disarm(boxId: string, interruption: ArmedInterruption): void {
    const left = (this.#armed.get(boxId) ?? []).filter((one) => one !== interruption);
    if (left.length > 0) this.#armed.set(boxId, left);
    else this.#armed.delete(boxId);
  }
}

function isOfRecord(operation: FlashOperation): boolean {
  return 'put' in operation && isRecordKey(operation.put);
}
