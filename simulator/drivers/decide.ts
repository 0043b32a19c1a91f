import type { VehicleModel } from '../../protocol/models/model.ts';
import type { Deed } from '../vehicle/deeds.ts';
import { limits } from './limits.ts';
import type { Activity } from './plan.ts';

/** A vehicle as its driver sees it. */
export interface Seen {
  /** Somebody drives it, or would if it moved. */
  readonly drives: boolean;
  /** It stands with its ignition off. */
  readonly stands: boolean;
  /** What it drives with first, in percent; of a plug-in hybrid its battery. */
  readonly energyPercent: number;
  /** The tank of a plug-in hybrid; undefined: it has one store. */
  readonly tankPercent: number | undefined;
  readonly isPlugged: boolean;
  /** Its rental runs, and the drivers have begun it. */
  readonly isRented: boolean;
  /** Nobody stands where it would come to stand. */
  readonly isKerbFree: boolean;
}

/** What is to be done with a vehicle now. */
export type Step =
  /** Its rental begins, and the trip with it. */
  | { readonly what: 'begin' }
  /** It drives, and no rental runs. */
  | { readonly what: 'rent' }
  /** It drives, and its trip is over. */
  | { readonly what: 'park' }
  /** It is parked: its rental ends. */
  | { readonly what: 'return' }
  /** It is charged, or gets other batteries or fuel. */
  | { readonly what: 'supply'; readonly deeds: readonly Deed[] }
  | { readonly what: 'nothing' };

const NOTHING: Step = { what: 'nothing' };

/**
 * What a vehicle's drivers do at that moment of their plan. It follows from what is, not from what was meant: so it goes
 * on sensibly after the program was ended in the middle of a trip.
 */
export function decide(
  activity: Activity,
  seen: Seen,
  model: Pick<VehicleModel, 'fuelType' | 'body'>,
  nowMs: number,
): Step {
  const isTrip = activity.kind === 'trip';
  if (seen.drives) {
    if (isTrip) return seen.isRented ? NOTHING : { what: 'rent' };
    return seen.isKerbFree ? { what: 'park' } : NOTHING;
  }
  if (!seen.stands) return NOTHING;
  // A trip that has ended before its time is over, and a new one is a rental of its own.
  if (seen.isRented) return { what: 'return' };
  const deeds = supplying(seen, model);
  if (deeds.length > 0) return { what: 'supply', deeds };
  const isCharging = seen.isPlugged && seen.energyPercent < limits.enoughPercent;
  const isWorthwhile = activity.untilMs - nowMs >= limits.worthwhileMs;
  return isTrip && isWorthwhile && !isCharging ? { what: 'begin' } : NOTHING;
}

/** What a parked vehicle needs before it is driven again; empty: nothing. */
function supplying(
  { energyPercent, tankPercent, isPlugged }: Seen,
  { fuelType, body }: Pick<VehicleModel, 'fuelType' | 'body'>,
): readonly Deed[] {
  const deeds: Deed[] = [];
  const tank = fuelType === 'ELECTRIC' ? undefined : (tankPercent ?? energyPercent);
  if (tank !== undefined && tank < limits.lowPercent)
    deeds.push({ kind: 'refuel', percent: limits.filledPercent });
  const isLow = energyPercent < limits.lowPercent;
  if (isLow && body.chargeKw !== undefined && !isPlugged) deeds.push({ kind: 'charge', connected: true });
  if (isLow && body.chargeKw === undefined)
    for (let port = 1; port <= (body.batteryPorts ?? 0); port += 1)
      deeds.push({ kind: 'battery', port, percent: limits.filledPercent });
  return deeds;
}

/** A vehicle as the physical truth has it (`truth()` of its handle), and whether its drivers have rented it. */
export function seenOf(truth: Readonly<Record<string, unknown>>, isRented: boolean): Seen {
  const number = (name: string) => Number(truth[name]);
  const hasPack = truth['hybridChargePercent'] !== undefined;
  return {
    drives: truth['driverWish'] === 'drive',
    stands: truth['ignitionOn'] === false && number('speedKph') === 0,
    energyPercent: number(hasPack ? 'hybridChargePercent' : 'energyPercent'),
    tankPercent: hasPack ? number('energyPercent') : undefined,
    isPlugged: truth['chargingAdapterConnected'] === true || truth['engine'] === 'charging',
    isRented,
    isKerbFree: truth['isKerbFree'] !== false,
  };
}
