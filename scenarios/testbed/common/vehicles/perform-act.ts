import type { ActionResult } from '../../../../simulator/control/box-action.ts';
import { BOX_ACTIONS } from '../../../../simulator/control/box-actions.ts';
import { MAKER_ACTIONS } from '../../../../simulator/control/maker-actions.ts';
import { actionOf, type VehicleAct } from '../../../language/steps/vehicle-acts.ts';
import { lookForChange } from './act-changes.ts';
import type { PlannedVehicle } from './planned-vehicle.ts';
import { type PhoneOrder, type PhoneWatcher, usePhone } from './use-phone.ts';

/** What the vehicle said to it: a reason why it cannot be done, or what came of it. */
export interface ActOutcome {
  readonly refusal?: string;
  readonly outcome?: unknown;
  /** Why it has changed nothing, in a sentence; absent: it has, or that cannot be seen. */
  readonly unchanged?: string;
}

/** Does something to a vehicle, as the simulator's control API does, and tells where it has changed nothing. */
export async function performAct(
  vehicle: PlannedVehicle,
  act: VehicleAct,
  watcher: PhoneWatcher,
): Promise<ActOutcome> {
  const { box, car } = vehicle;
  const changed = lookForChange(act, {
    truth: () => (box === undefined ? car?.truth() : { ...box.truth(), held: box.held() }),
    belief: () => box?.snapshot(),
  });
  const done = await carryOut(vehicle, act, watcher);
  const unchanged = done.refusal === undefined ? changed() : undefined;
  return unchanged === undefined ? done : { ...done, unchanged };
}

async function carryOut(
  { box, car, model }: PlannedVehicle,
  act: VehicleAct,
  watcher: PhoneWatcher,
): Promise<ActOutcome> {
  const { action, body } = actionOf(act);
  if (box !== undefined) {
    if (action === 'phone') return usePhone(box, body as unknown as PhoneOrder, watcher);
    const row = BOX_ACTIONS.find(({ name }) => name === action);
    if (row !== undefined) return actOutcomeOf(row.attempt(box, body));
  }
  if (car !== undefined) {
    const row = MAKER_ACTIONS.find(({ name }) => name === action);
    if (row !== undefined) return actOutcomeOf(row.attempt(car, body));
  }
  return { refusal: `A vehicle of the model ${model} cannot ${act.name}.` };
}

function actOutcomeOf(attempt: ActionResult): ActOutcome {
  return attempt.outcome === 'done' ? { outcome: 'done' } : { refusal: attempt.detail };
}
