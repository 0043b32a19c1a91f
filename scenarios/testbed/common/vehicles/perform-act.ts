import { BLUETOOTH_ACTIONS, type BluetoothAction, MOST_USES } from '../../../../protocol/bluetooth.ts';
import type { FleetBox } from '../../../../simulator/box/fleet-box.ts';
import type { ActionResult } from '../../../../simulator/control/box-action.ts';
import { BOX_ACTIONS } from '../../../../simulator/control/box-actions.ts';
import { MAKER_ACTIONS } from '../../../../simulator/control/maker-actions.ts';
import { actionOf, type VehicleAct } from '../../../language/steps/vehicle-acts.ts';
import { limits } from '../limits.ts';
import type { PlannedVehicle } from './planned-vehicle.ts';

/** What the vehicle said to it: a reason why it cannot be done, or what came of it. */
export interface ActOutcome {
  readonly refusal?: string;
  readonly outcome?: unknown;
}

/** Does something to a vehicle, as the simulator's control API does. */
export async function performAct({ box, car, model }: PlannedVehicle, act: VehicleAct): Promise<ActOutcome> {
  const { action, body } = actionOf(act);
  if (box !== undefined) {
    if (action === 'phone') return askByPhone(box, body as unknown as PhoneOrder);
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

/** As the language has it, after its schema. */
interface PhoneOrder {
  readonly action: BluetoothAction;
  readonly token: keyof typeof TOKENS;
  readonly device?: string;
}

const EVERY = BLUETOOTH_ACTIONS.map(({ name }) => name);

function issue(box: FleetBox, validForMs: number, uses: number = MOST_USES) {
  const token = box.bluetooth.issueToken({ allows: EVERY, uses, validForMs });
  if (token === undefined)
    throw new Error(`The box ${box.plan.boxId} has as many Bluetooth tokens as it keeps.`);
  return token;
}

/** The text of a token that is so. */
const TOKENS = {
  right: (box: FleetBox) => issue(box, limits.phoneTokenMs).text,
  expired: (box: FleetBox) => issue(box, -limits.phoneTokenMs).text,
  withdrawn(box: FleetBox) {
    const { id, text } = issue(box, limits.phoneTokenMs);
    box.bluetooth.withdrawToken(id);
    return text;
  },
  /** By the same question, which the box answers before. */
  async 'used-up'(box: FleetBox, { action, device }: PhoneOrder) {
    const { text } = issue(box, limits.phoneTokenMs, 1);
    await box.bluetooth.usePhone(text, action, device);
    return text;
  },
  forged(box: FleetBox) {
    const { text } = issue(box, limits.phoneTokenMs);
    return text.slice(0, -1) + (text.endsWith('0') ? '1' : '0');
  },
} as const satisfies Record<string, (box: FleetBox, order: PhoneOrder) => string | Promise<string>>;

async function askByPhone(box: FleetBox, order: PhoneOrder): Promise<ActOutcome> {
  const { action, token, device } = order;
  const text = await TOKENS[token](box, order);
  const { outcome } = await box.bluetooth.usePhone(text, action, device);
  return { outcome };
}
