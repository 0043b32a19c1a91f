import { limits } from '../limits.ts';
import { FEATURES } from './features.ts';
import { bootedAt } from './self-test.ts';
import type { BoxState } from './state.ts';

/**
 * When the box must be ticked next, in true time; undefined: only something from outside wakes it. It may lie in the
 * past, which means at once. `lookAt`: when its next look at the inputs must not be left out.
 */
export function nextAlarm(state: BoxState, lookAt = state.ram.sampler.lookAt): number | undefined {
  const { ram } = state;
  const hangEnd = ram.hang === undefined ? undefined : Math.min(ram.hang.until, ram.hang.watchdogAt);
  switch (ram.power) {
    case 'off':
      return undefined;
    case 'dead':
      return ram.reckonedAt + limits.lookMs;
    case 'installing':
    case 'asleep':
      return ram.powerLookAt;
    case 'booting':
      return hangEnd ?? bootedAt(state);
    case 'up':
      return hangEnd ?? earliest(state, lookAt);
    default:
      return ram.power satisfies never;
  }
}

const NEVER = Number.POSITIVE_INFINITY;

/** The earliest of all that the box waits for. It is asked after each input: no list is made for it. */
function earliest(state: BoxState, lookAt: number | undefined): number | undefined {
  const { ram } = state;
  const { session, outbox, modem, leaving } = ram;
  // On its way down nothing else counts.
  if (leaving !== undefined) return leaving.until;
  let due = Math.min(lookAt ?? NEVER, modem.until ?? NEVER, ram.bleBackAt ?? NEVER);
  due = Math.min(due, ram.errand?.until ?? NEVER, ram.transfer?.dueAt ?? NEVER);
  for (const { dueAt } of FEATURES) due = Math.min(due, dueAt(state) ?? NEVER);
  const [oldest] = outbox.inFlight;
  if (oldest !== undefined) due = Math.min(due, oldest.at + limits.acknowledgementTimeoutMs);
  switch (session.phase) {
    case 'down':
      if (modem.phase === 'data-up') due = Math.min(due, session.retryAt);
      break;
    case 'connecting':
    case 'subscribing':
      due = Math.min(due, session.until);
      break;
    case 'greeting':
      due = Math.min(due, session.helloRepeatAt);
      break;
    case 'ready':
      due = Math.min(due, outbox.resendAt ?? NEVER, session.readyRepeatAt ?? NEVER);
      break;
    default:
      session.phase satisfies never;
  }
  return due;
}
