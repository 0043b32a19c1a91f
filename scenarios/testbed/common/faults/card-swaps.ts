import type { Store } from '../../../../backend/store/port/store.ts';
import type { FleetBox } from '../../../../simulator/box/fleet-box.ts';
import { spareCard } from '../../../../simulator/sim-provider/cards.ts';
import type { SimProviderName } from '../../../../simulator/sim-provider/names.ts';
import type { SimProviders } from '../../../../simulator/sim-provider/providers.ts';
import { latestOf } from './fault-layers.ts';
import type { AnyLaid } from './struck.ts';

interface Swap {
  readonly provider: SimProviderName;
  readonly isRecorded: boolean;
}

/** Cards of boxes that are changed for another provider's, and changed back. */
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
   * Changes the cards. What it resolves with changes them back, and says where every box had a card of that provider
   * already.
   */
  async begin(boxIds: readonly string[], provider: SimProviderName, isRecorded: boolean): Promise<AnyLaid> {
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
    return { met: () => changed, end };
  }

  /** The latest swap is in force. Resolves with whether that is another card than before. */
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

  /** As whoever changes a card tells the service, whose stock has the cards of all boxes. */
  async #record(boxId: string, sim: FleetBox['plan']['sim']): Promise<void> {
    const vehicles = this.#vehicles();
    const found = await vehicles.findUnit(boxId);
    if (found === undefined) return;
    const { vehicleId: _vehicle, ...unit } = found;
    await vehicles.saveUnit({ ...unit, sim });
  }
}
