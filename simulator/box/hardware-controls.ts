import type { ResetReason } from '../../protocol/message.ts';
import type { BoxFacts, BoxFault, SimState } from '../firmware/core/box-hardware.ts';
import { countersKey } from '../firmware/core/pages.ts';
import type { UpdateOffer } from '../firmware/update/image.ts';
import { BoxControls } from './box-controls.ts';
import { jumpPage, suspensionPage } from './hardware-pages.ts';
import { type PendingInput, TICK } from './pending-input.ts';

/** The operations on a box itself, each as an input of its firmware; fleet-box.ts documents them. */
export abstract class HardwareControls extends BoxControls {
  /** The sum of the jumps of the clock's counter. */
  protected jumpedMs = 0;
  /** The card's state at the SIM provider, until the firmware has noticed; undefined: it has. */
  #orderedCard: { readonly to: SimState } | undefined;

  /** The box as it was built. */
  protected abstract builtFacts(): BoxFacts;
  /** The card as the firmware knows it. */
  protected abstract noticedSim(): SimState;
  /** An input that waits its turn. */
  protected abstract enqueue(input: PendingInput): void;

  setFault(fault: BoxFault | undefined): void {
    this.enqueue({ make: () => ({ kind: 'fault', fault }) });
  }

  jumpClock(byMs: number): void {
    this.jumpedMs += byMs;
    const page = jumpPage(this.jumpedMs);
    this.enqueue({ make: () => ({ kind: 'clock-jump', byMs }), page });
    this.enqueue(TICK);
  }

  setClockDrift(ppm: number): void {
    const { rtcDriftPpm } = this.builtFacts();
    this.enqueue({ make: () => ({ kind: 'clock-drift', ppm: rtcDriftPpm + ppm }) });
  }

  setFlashFull(isFull: boolean): void {
    const { journalRecords } = this.builtFacts();
    this.enqueue({ make: () => ({ kind: 'room', records: isFull ? undefined : journalRecords }) });
  }

  /** A flash without counters counts as wiped: the next boot begins an epoch, and erases the other pages. */
  wipe(): void {
    this.enqueue({ make: () => ({ kind: 'reset', reason: 'GENERAL' }), page: { erase: countersKey } });
  }

  hang(forMs: number): void {
    this.enqueue({ make: () => ({ kind: 'hang', forMs }) });
    this.enqueue(TICK);
  }

  putFirmware(version: readonly [major: number, minor: number]): void {
    this.enqueue({ make: () => ({ kind: 'firmware', version }) });
  }

  offerUpdate(offer: UpdateOffer): void {
    this.enqueue({ make: () => ({ kind: 'update', offer }) });
    this.enqueue(TICK);
  }

  /** The reset button (USER), the watchdog, or any other cause from outside. */
  reset(reason: ResetReason): void {
    this.enqueue({ make: () => ({ kind: 'reset', reason }) });
  }

  /** Sets the card's state at the SIM provider. It applies immediately, though the box may be too busy to notice. */
  setSim(to: SimState): void {
    const ordered = { to };
    this.#orderedCard = ordered;
    this.enqueue({
      make: () => ({ kind: 'sim', to }),
      page: suspensionPage(to),
      done: () => {
        if (this.#orderedCard === ordered) this.#orderedCard = undefined;
      },
    });
  }

  /** The card as its provider has it. */
  sim(): SimState {
    return this.#orderedCard?.to ?? this.noticedSim();
  }
}
