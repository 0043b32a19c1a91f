import type { BluetoothAction, BluetoothToken } from '../../../protocol/bluetooth.ts';
import { ulidMs } from '../../../protocol/ulid.ts';
import { limits } from '../../limits.ts';
import { boxTimeMs, type StepContext } from '../core/step-context.ts';
import { latestMs } from '../power/rtc.ts';
import { bluetoothKey, bluetoothPage, type KnownToken, type TokenMemory } from './bluetooth-pages.ts';
import type { CheckedToken } from './phone-request.ts';

/** Why a token opens nothing, as the phone shows it. */
export const TOKEN_REFUSALS = {
  'no-token': 'this is no token',
  foreign: 'the token is for another box',
  forged: 'the token is not genuine',
  former: 'the token is from before the box came into this vehicle',
  'not-allowed': 'the token does not allow this',
  'no-time': 'the box does not know the time, so it cannot check whether the token has expired',
  expired: 'the token has expired',
  withdrawn: 'the token was withdrawn',
  'used-up': 'the token was used as often as it may be',
} as const;

export type TokenRefusal = keyof typeof TOKEN_REFUSALS;

/**
 * Why a token does not allow that now; undefined: it does. The check needs no network: the box has the secret that
 * signed the token, a clock, the number of uses, and the withdrawals that it has received. The expiry is judged by the
 * latest possible time, so a slow clock accepts no expired token.
 */
export function tokenRefusal(
  context: StepContext,
  presented: CheckedToken,
  action: BluetoothAction,
): TokenRefusal | undefined {
  if (presented === undefined) return 'no-token';
  const { token, isGenuine } = presented;
  if (token.boxId !== context.facts.boxId) return 'foreign';
  if (!isGenuine) return 'forged';
  if (!token.allows.includes(action)) return 'not-allowed';
  const latest = latestMs(context.ram.clock, context.counterMs);
  if (latest === undefined) return 'no-time';
  const { floorMs, sinceMs } = context.flash.bluetooth;
  if (ulidMs(token.id) < sinceMs) return 'former';
  if (latest > token.expiresMs || token.expiresMs <= floorMs) return 'expired';
  const kept = knownToken(context, token.id);
  if (kept?.isWithdrawn === true) return 'withdrawn';
  return (kept?.used ?? 0) >= token.uses ? 'used-up' : undefined;
}

/** Counts one use, in the same write as the action that it begins: no reset restores it. */
export function countTokenUse(context: StepContext, { id, expiresMs }: BluetoothToken): void {
  const kept = knownToken(context, id);
  saveToken(context, { id, expiresMs, used: (kept?.used ?? 0) + 1, isWithdrawn: kept?.isWithdrawn ?? false });
}

/** The box is installed in another vehicle: tokens of its last one are not valid for this one. */
export function forgetTokens(context: StepContext): void {
  saveTokenMemory(context, { ...context.flash.bluetooth, sinceMs: boxTimeMs(context) });
}

/** Which tokens were withdrawn. Received only in a session; the backend repeats it in the next one. */
export function noteWithdrawnTokens(
  context: StepContext,
  tokens: readonly Pick<KnownToken, 'id' | 'expiresMs'>[],
): void {
  if (context.ram.session.phase !== 'ready') return;
  const latest = latestMs(context.ram.clock, context.counterMs);
  for (const { id, expiresMs } of tokens) {
    const kept = knownToken(context, id);
    if (kept?.isWithdrawn === true || (latest !== undefined && latest > expiresMs)) continue;
    saveToken(context, { id, expiresMs, used: kept?.used ?? 0, isWithdrawn: true });
  }
}

function knownToken(context: StepContext, id: string): KnownToken | undefined {
  return context.flash.bluetooth.tokens.find((one) => one.id === id);
}

/**
 * Stores the data of a token. Without room, the one that expires first is forgotten, and every token that expires no
 * later becomes invalid: otherwise a used one could be used again.
 */
function saveToken(context: StepContext, token: KnownToken): void {
  const others = context.flash.bluetooth.tokens.filter((one) => one.id !== token.id);
  const tokens = [...others, token].sort((one, other) => one.expiresMs - other.expiresMs);
  let { floorMs } = context.flash.bluetooth;
  while (tokens.length > limits.bluetoothTokens) {
    floorMs = Math.max(floorMs, tokens.shift()?.expiresMs ?? 0);
  }
  saveTokenMemory(context, { ...context.flash.bluetooth, floorMs, tokens });
}

function saveTokenMemory(context: StepContext, memory: TokenMemory): void {
  context.flash.bluetooth = memory;
  context.writes.push({ put: bluetoothKey, bytes: bluetoothPage(memory) });
}
