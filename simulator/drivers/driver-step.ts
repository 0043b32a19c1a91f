import type { VehicleModel } from '../../protocol/models/model.ts';
import { driverLimits } from '../limits.ts';
import type { VehicleOperation } from '../vehicle/equipment/vehicle-operations.ts';
import type { DriverActivity } from './driver-plan.ts';

/** A vehicle as its driver sees it. */
export interface DriverView {
  /** It is being driven, or would be if it moved. */
  readonly drives: boolean;
  /** It is parked with its ignition off. */
  readonly isAtRest: boolean;
  /** The charge of its first energy store, in percent; for a plug-in hybrid its battery. */
  readonly energyPercent: number;
  /** The tank of a plug-in hybrid; undefined: there is one energy store. */
  readonly tankPercent: number | undefined;
  readonly isPlugged: boolean;
  /** Its rental is active, and the drivers started it. */
  readonly isRented: boolean;
  /** There is free space where it would stop. */
  readonly isKerbFree: boolean;
}

/** The next action on a vehicle. */
export type DriverStep =
  /** Start its rental, and the trip with it. */
  | { readonly what: 'begin' }
  /** Start a rental: it is driven without one. */
  | { readonly what: 'rent' }
  /** Park it: its trip is over. */
  | { readonly what: 'park' }
  /** End the rental of a parked vehicle. */
  | { readonly what: 'return' }
  /** Charge it, refuel it or swap its batteries. */
  | { readonly what: 'supply'; readonly operations: readonly VehicleOperation[] }
  | { readonly what: 'nothing' };

const NOTHING: DriverStep = { what: 'nothing' };

/**
 * The action of a vehicle's drivers at this moment of their plan. It follows from the present state, not
 * from earlier intentions, so it continues sensibly after the program was stopped in the middle of a trip.
 */
export function decideDriverStep(
  activity: DriverActivity,
  view: DriverView,
  model: Pick<VehicleModel, 'fuelType' | 'body'>,
  nowMs: number,
): DriverStep {
  const isTrip = activity.kind === 'trip';
  if (view.drives) {
    if (isTrip) return view.isRented ? NOTHING : { what: 'rent' };
    return view.isKerbFree ? { what: 'park' } : NOTHING;
  }
  if (!view.isAtRest) return NOTHING;
  // The trip ended before its time was over. A new one is a separate rental.
  if (view.isRented) return { what: 'return' };
  const operations = neededSupply(view, model);
  if (operations.length > 0) return { what: 'supply', operations };
  const isCharging = view.isPlugged && view.energyPercent < driverLimits.enoughPercent;
  const isWorthwhile = activity.untilMs - nowMs >= driverLimits.worthwhileMs;
  return isTrip && isWorthwhile && !isCharging ? { what: 'begin' } : NOTHING;
}

/** The needs of a parked vehicle before it is driven again; empty: none. */
function neededSupply(
  { energyPercent, tankPercent, isPlugged }: DriverView,
  { fuelType, body }: Pick<VehicleModel, 'fuelType' | 'body'>,
): readonly VehicleOperation[] {
  const operations: VehicleOperation[] = [];
  const tank = fuelType === 'ELECTRIC' ? undefined : (tankPercent ?? energyPercent);
  if (tank !== undefined && tank < driverLimits.lowPercent)
    operations.push({ kind: 'refuel', percent: driverLimits.filledPercent });
  const isLow = energyPercent < driverLimits.lowPercent;
  if (isLow && body.chargeKw !== undefined && !isPlugged)
    operations.push({ kind: 'charge', connected: true });
  if (isLow && body.chargeKw === undefined)
    for (let port = 1; port <= (body.batteryPorts ?? 0); port += 1)
      operations.push({ kind: 'battery', port, percent: driverLimits.filledPercent });
  return operations;
}

/** A vehicle as the physical truth describes it (`truth()`), and whether its drivers have rented it. */
export function driverViewOf(truth: Readonly<Record<string, unknown>>, isRented: boolean): DriverView {
  const number = (name: string) => Number(truth[name]);
  const hasPack = truth['hybridChargePercent'] !== undefined;
  return {
    drives: truth['driverWish'] === 'drive',
    isAtRest: truth['ignitionOn'] === false && number('speedKph') === 0,
    energyPercent: number(hasPack ? 'hybridChargePercent' : 'energyPercent'),
    tankPercent: hasPack ? number('energyPercent') : undefined,
    isPlugged: truth['chargingAdapterConnected'] === true || truth['engine'] === 'charging',
    isRented,
    isKerbFree: truth['isKerbFree'] !== false,
  };
}
