import type { ActionResult } from '../../../../simulator/control/box-action.ts';
import { BOX_ACTIONS } from '../../../../simulator/control/box-actions.ts';
import { MAKER_ACTIONS } from '../../../../simulator/control/maker-actions.ts';
import { actionOf, type VehicleAct } from '../../../language/steps/vehicle-acts.ts';
import type { PlannedVehicle } from './planned-vehicle.ts';
import { type PhoneOrder, type PhoneWatcher, usePhone } from './use-phone.ts';

/** What the vehicle said to it: a reason why it cannot be done, or what came of it. */
export interface ActOutcome {
  readonly refusal?: string;
  readonly outcome?: unknown;
}

/** Does something to a vehicle, as the simulator's control API does. */
export async function performAct(
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
