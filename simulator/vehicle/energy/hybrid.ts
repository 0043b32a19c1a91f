import type { Move } from '../driving/moves.ts';
import { limits } from '../limits.ts';

/** The two energy stores of a plug-in hybrid: litres in its tank, kilowatt-hours in its traction battery. */
export interface HybridStores {
  readonly energy: number;
  readonly tractionKwh: number;
}

/** The consumption of a distance from either store alone. */
export interface HybridDemand {
  readonly litres: number;
  readonly kwh: number;
}

/**
 * The stores after a plug-in hybrid has driven a distance. Above its reserve the battery does the work, and
 * the engine a share of it when the vehicle accelerates (`engineHelps`). At the reserve the engine does all
 * of it and the charge stays. With an empty tank the battery gives its reserve too. Closed formulas:
 * splitting a distance changes nothing.
 */
export function hybridAfter(
  { energy, tractionKwh }: HybridStores,
  needed: HybridDemand,
  capacityKwh: number,
  engineHelps: number,
): HybridStores {
  const usableKwh = Math.max(tractionKwh - capacityKwh * limits.hybridReserveShare, 0);
  const drawnKwh = needed.kwh * (1 - engineHelps);
  // The share of the distance driven on the battery above its reserve.
  const electric = drawnKwh <= usableKwh ? 1 : usableKwh / drawnKwh;
  const litres = needed.litres * (engineHelps * electric + 1 - electric);
  const burned = Math.min(litres, energy);
  // Energy that the tank lacks is drawn from the reserve.
  const lackingKwh = litres > burned ? ((litres - burned) / needed.litres) * needed.kwh : 0;
  return {
    energy: energy - burned,
    tractionKwh: Math.max(tractionKwh - drawnKwh * electric - lackingKwh, 0),
  };
}

/** The share of the work that the engine does although the battery is above its reserve. */
export function engineHelpsWith(move: Pick<Move, 'kind'> | undefined): number {
  return move?.kind === 'accelerate' ? limits.engineHelpShare : 0;
}

/** Whether the engine of a plug-in hybrid runs: it does not if the battery does all the work. */
export function engineTurns(
  { energy, tractionKwh }: HybridStores,
  capacityKwh: number,
  move: Pick<Move, 'kind'> | undefined,
): boolean {
  if (energy <= 0) return false;
  return tractionKwh <= capacityKwh * limits.hybridReserveShare || engineHelpsWith(move) > 0;
}
