import type { ActionResult } from '../../../../simulator/control/action.ts';
import { VEHICLE_ACTS, type VehicleAct } from '../../../language/steps/vehicle-acts.ts';
import { watchForChange } from './act-changes.ts';
import type { PlannedVehicle } from './planned-vehicle.ts';
import { type PhoneOrder, type PhoneWatcher, usePhone } from './use-phone.ts';

/** The result of an act: why it was refused, or its outcome. */
export interface ActOutcome {
  readonly refusal?: string;
  readonly outcome?: unknown;
  /** A warning that it changed nothing; absent: it changed something, or that cannot be observed. */
  readonly unchanged?: string;
}

/** Performs an act on a vehicle, as the simulator's control API does. */
export async function performAct(
  vehicle: PlannedVehicle,
  act: VehicleAct,
  watcher: PhoneWatcher,
): Promise<ActOutcome> {
  const { box, car } = vehicle;
  const changed = watchForChange(act, {
    truth: () => (box === undefined ? car?.truth() : { ...box.truth(), held: box.held() }),
    belief: () => box?.snapshot(),
  });
  const done = await carryOut(vehicle, act, watcher);
  const unchanged = done.refusal === undefined ? changed() : undefined;
  return unchanged === undefined ? done : { ...done, unchanged };
}

async function carryOut(
  { box, car, model }: PlannedVehicle,
  { name, settings }: VehicleAct,
  watcher: PhoneWatcher,
): Promise<ActOutcome> {
  const row = VEHICLE_ACTS[name];
  if (box !== undefined && row.byPhone === true) return usePhone(box, settings as PhoneOrder, watcher);
  const result = (box && row.toBox?.(box, settings)) ?? (car && row.toCar?.(car, settings));
  if (result !== undefined) return actOutcomeOf(result);
  return { refusal: `A vehicle of the model ${model} cannot ${name}.` };
}

function actOutcomeOf(result: ActionResult): ActOutcome {
  return result.outcome === 'done' ? { outcome: 'done' } : { refusal: result.detail };
}
