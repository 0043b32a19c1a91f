import type { PhoneQuestion, PhoneToken } from '../../../../judge/evidence/box-history.ts';
import { BLUETOOTH_ACTIONS, type BluetoothAction, MOST_USES } from '../../../../protocol/bluetooth.ts';
import type { FleetBox, PhoneAnswer } from '../../../../simulator/box/fleet-box.ts';
import { testbedLimits } from '../../../limits.ts';

/** The action of a person next to a vehicle, in the words of the language, after its schema. */
export interface PhoneOrder {
  readonly action: BluetoothAction;
  readonly token: 'right' | 'expired' | 'withdrawn' | 'used-up' | 'forged';
  readonly device?: string;
  /** What the token allows; absent: everything. */
  readonly allows?: readonly BluetoothAction[];
  /** How often it may be used; absent: the maximum. */
  readonly uses?: number;
  /** The number of consecutive requests of the phone; absent: one. */
  readonly times?: number;
  /** The name of a token that is kept, and presented again the next time; absent: a new one. */
  readonly keeps?: string;
}

/** Records the requests of phones. */
export interface PhoneWatcher {
  nowMs(): number;
  asked(question: PhoneQuestion): void;
}

const EVERY = BLUETOOTH_ACTIONS.map(({ name }) => name);

interface HeldToken {
  readonly text: string;
  token: PhoneToken;
}

/** The tokens with a name, by box. */
const kept = new WeakMap<FleetBox, Map<string, HeldToken>>();

/**
 * Makes requests with a phone next to the vehicle; resolves with the last answer, or with a refusal if the box keeps
 * no more tokens.
 */
export async function usePhone(
  box: FleetBox,
  order: PhoneOrder,
  watcher: PhoneWatcher,
): Promise<{ readonly outcome?: PhoneAnswer['outcome']; readonly refusal?: string }> {
  const held = heldToken(box, order, watcher);
  if (held === undefined) return { refusal: 'The box has as many Bluetooth tokens as it keeps.' };
  if (order.token === 'withdrawn' && held.token.withdrawnMs === undefined) {
    box.bluetooth.withdrawToken(held.token.id);
    held.token = { ...held.token, withdrawnMs: watcher.nowMs() };
  }
  const times = (order.times ?? 1) + (order.token === 'used-up' ? 1 : 0);
  let outcome: PhoneAnswer['outcome'] = 'silent';
  for (let asked = 0; asked < times; asked += 1) outcome = await ask(box, order, held, watcher);
  return { outcome };
}

async function ask(
  box: FleetBox,
  { action, device, token }: PhoneOrder,
  held: HeldToken,
  watcher: PhoneWatcher,
): Promise<PhoneAnswer['outcome']> {
  const isForged = token === 'forged';
  const { text } = held;
  const presented = isForged ? text.slice(0, -1) + (text.endsWith('0') ? '1' : '0') : text;
  const askedMs = watcher.nowMs();
  const { outcome, detail } = await box.bluetooth.usePhone(presented, action, device);
  const shown = { ...held.token, isGenuine: !isForged };
  watcher.asked({ askedMs, answeredMs: watcher.nowMs(), action, token: shown, outcome, detail });
  return outcome;
}

function heldToken(box: FleetBox, order: PhoneOrder, watcher: PhoneWatcher): HeldToken | undefined {
  const { keeps } = order;
  const ofBox = kept.get(box) ?? new Map<string, HeldToken>();
  kept.set(box, ofBox);
  const before = keeps === undefined ? undefined : ofBox.get(keeps);
  if (before !== undefined) return before;
  const { token: manner, allows = EVERY, uses = manner === 'used-up' ? 1 : MOST_USES } = order;
  const validForMs = manner === 'expired' ? -testbedLimits.phoneTokenMs : testbedLimits.phoneTokenMs;
  const issuedMs = watcher.nowMs();
  const issued = box.bluetooth.issueToken({ allows, uses, validForMs });
  if (issued === undefined) return undefined;
  // As requested, and not as written in the token: checkers verify what the box reads there.
  const { boxId } = box.plan;
  const token = { id: issued.id, boxId, allows, uses, expiresMs: issuedMs + validForMs };
  const held = { text: issued.text, token: { ...token, issuedMs, isGenuine: true } };
  if (keeps !== undefined) ofBox.set(keeps, held);
  return held;
}
