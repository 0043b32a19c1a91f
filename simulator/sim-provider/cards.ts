import type { FleetBox } from '../box/fleet-box.ts';
import { type BoxPlan, SIM_PROVIDER_NAMES, type SimProviderName } from '../box-plan.ts';
import type { SimState } from '../firmware/core/box-hardware.ts';
import { luhnDigit } from '../fleet/fleet-plan.ts';

type CardPlan = BoxPlan['sim'];
type CardBox = Pick<FleetBox, 'plan' | 'sim' | 'setSim'>;

/** A card as its provider sees it, in a box or in a drawer. */
export interface SimCard {
  sim(): SimState;
  setSim(to: SimState): void;
}

/** Cards that were exchanged, and the states of those that are in no box. */
export class ChangedCards {
  /** By the id of the box. */
  readonly #inBoxes = new Map<string, { readonly card: CardPlan; readonly box: CardBox }>();
  /** The cards in no box, by their digits. */
  readonly #inDrawer = new Map<string, { readonly provider: string; state: SimState }>();

  /** The card that is in a box. */
  cardIn({ plan }: CardBox): CardPlan {
    return this.#inBoxes.get(plan.boxId)?.card ?? plan.sim;
  }

  /** Puts a card into a box; the one that was there keeps its state, in a drawer. */
  put(box: CardBox, card: CardPlan): void {
    const { iccid, provider } = this.cardIn(box);
    if (iccid === card.iccid) return;
    this.#inDrawer.set(iccid, { provider, state: box.sim() });
    const state = this.#inDrawer.get(card.iccid)?.state ?? 'active';
    this.#inDrawer.delete(card.iccid);
    this.#inBoxes.set(box.plan.boxId, { card, box });
    box.setSim(state);
  }

  /** The card with these digits, where it was changed or put in; undefined: it is where it was planned to be. */
  find(provider: SimProviderName, iccid: string): SimCard | undefined {
    const drawn = this.#inDrawer.get(iccid);
    if (drawn?.provider === provider) {
      return {
        sim: () => drawn.state,
        // On no network there is nothing to be detached from.
        setSim: (to) => {
          drawn.state = to === 'detached' ? drawn.state : to;
        },
      };
    }
    return [...this.#inBoxes.values()].find(({ card }) => card.provider === provider && card.iccid === iccid)
      ?.box;
  }
}

/** A card of that provider for a box: of the same box and provider always the same. */
export function spareCard({ sim }: BoxPlan, provider: SimProviderName): CardPlan {
  if (sim.provider === provider) return sim;
  const place = sim.iccid.length - 2;
  const shift = SIM_PROVIDER_NAMES.indexOf(provider) + 1;
  const digits = sim.iccid.slice(0, place) + ((Number(sim.iccid.charAt(place)) + shift) % 10);
  return { provider, iccid: digits + luhnDigit(digits) };
}
