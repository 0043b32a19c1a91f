import type { Store } from '../../../../backend/store/port/store.ts';
import type { FleetBox } from '../../../../simulator/box/fleet-box.ts';
import type { SimProviderName } from '../../../../simulator/box-plan.ts';
import { spareCard } from '../../../../simulator/sim-provider/cards.ts';
import type { SimProviders } from '../../../../simulator/sim-provider/providers.ts';
import type { ActiveFault } from './active-fault.ts';
import { latestOf } from './fault-layers.ts';

interface Swap {
  readonly provider: SimProviderName;
  readonly isRecorded: boolean;
}

/** Swaps cards of boxes for another provider's, and swaps them back. */
export class CardSwaps {
  readonly #sims: SimProviders;
  readonly #boxOf: (boxId: string) => FleetBox | undefined;
  readonly #vehicles: () => Store['vehicles'];
  readonly #swaps = new Map<string, readonly Swap[]>();

  constructor(
    sims: SimProviders,
    boxOf: (boxId: string) => FleetBox | undefined,
    vehicles: () => Store['vehicles'],
  ) {
    this.#sims = sims;
    this.#boxOf = boxOf;
    this.#vehicles = vehicles;
  }

  /**
   * Swaps the cards. What it resolves with swaps them back, and says if every box had a card of that provider
   * already.
   */
  async begin(
    boxIds: readonly string[],
    provider: SimProviderName,
    isRecorded: boolean,
  ): Promise<ActiveFault> {
    const swap = { provider, isRecorded };
    let changed = 0;
    for (const boxId of boxIds) {
      this.#swaps.set(boxId, [...(this.#swaps.get(boxId) ?? []), swap]);
      if (await this.#putRightCard(boxId, isRecorded)) changed += 1;
    }
    const end = async (): Promise<string | undefined> => {
      for (const boxId of boxIds) {
        this.#swaps.set(
          boxId,
          (this.#swaps.get(boxId) ?? []).filter((one) => one !== swap),
        );
        await this.#putRightCard(boxId, isRecorded);
      }
      return changed > 0 ? undefined : `every box had a card of ${provider} already`;
    };
    return { effect: () => changed, end };
  }

  /** Applies the latest swap. Resolves with whether the card has changed. */
  async #putRightCard(boxId: string, isRecorded: boolean): Promise<boolean> {
    const box = this.#boxOf(boxId);
    if (box === undefined) return false;
    const swap = latestOf(this.#swaps.get(boxId) ?? []);
    const card = swap === undefined ? box.plan.sim : spareCard(box.plan, swap.provider);
    if (this.#sims.cards.cardIn(box).iccid === card.iccid) return false;
    this.#sims.cards.put(box, card);
    box.reset('GENERAL');
    if (isRecorded) await this.#record(boxId, card);
    return true;
  }

  /** As the person who swaps a card does: the service's stock has the cards of all boxes. */
  async #record(boxId: string, sim: FleetBox['plan']['sim']): Promise<void> {
    const vehicles = this.#vehicles();
    const found = await vehicles.findUnit(boxId);
    if (found === undefined) return;
    const { vehicleId: _vehicle, ...unit } = found;
    await vehicles.saveUnit({ ...unit, sim });
  }
}
