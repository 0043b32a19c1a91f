import type { Move } from './hop.ts';
import { limits } from './limits.ts';

/** The two stores of a plug-in hybrid: litres in its tank, kilowatt-hours in its traction battery. */
export interface TwoStores {
  readonly energy: number;
  readonly tractionKwh: number;
}

/** What a way would take from either store alone. */
export interface Needed {
  readonly litres: number;
  readonly kwh: number;
}

/**
 * The stores after a way that a plug-in hybrid has driven. Above its reserve the battery does it, and the engine a share
 * where the vehicle accelerates (`engineHelps`); down at the reserve the engine does it all and the charge stays; with
 * an empty tank the battery gives its reserve too. Closed formulas: a way in two pieces takes what it takes in one.
 */
export function hybridAfter(
  { energy, tractionKwh }: TwoStores,
  needed: Needed,
  capacityKwh: number,
  engineHelps: number,
): TwoStores {
  const usableKwh = Math.max(tractionKwh - capacityKwh * limits.hybridReserveShare, 0);
  const drawnKwh = needed.kwh * (1 - engineHelps);
  // The share of the way that is done with the battery above its reserve.
  const electric = drawnKwh <= usableKwh ? 1 : usableKwh / drawnKwh;
  const litres = needed.litres * (engineHelps * electric + 1 - electric);
  const burned = Math.min(litres, energy);
  // What the tank no longer has is drawn from the reserve.
  const lackingKwh = litres > burned ? ((litres - burned) / needed.litres) * needed.kwh : 0;
  return {
    energy: energy - burned,
    tractionKwh: Math.max(tractionKwh - drawnKwh * electric - lackingKwh, 0),
  };
}

/** Which share of the work the engine takes over though the battery is above its reserve. */
export function engineHelpsWith(move: Pick<Move, 'kind'> | undefined): number {
  return move?.kind === 'accelerate' ? limits.engineHelpShare : 0;
}

/** Whether the engine of a plug-in hybrid turns: it rests where the battery does all the work. */
export function engineTurns(
  { energy, tractionKwh }: TwoStores,
  capacityKwh: number,
  move: Pick<Move, 'kind'> | undefined,
): boolean {
  if (energy <= 0) return false;
  return tractionKwh <= capacityKwh * limits.hybridReserveShare || engineHelpsWith(move) > 0;
}
