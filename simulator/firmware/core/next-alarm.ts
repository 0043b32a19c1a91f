import { limits } from '../../limits.ts';
import { bootedAt } from '../update/update.ts';
import { FIRMWARE_FEATURES } from './features.ts';
import type { BoxState } from './state.ts';

/**
 * When the box must be ticked next, in true time; undefined: only an event from outside wakes it. A time in
 * the past means immediately. `lookAt`: the next look at the inputs that must not be skipped.
 */
export function nextAlarm(state: BoxState, lookAt = state.ram.sampler.lookAt): number | undefined {
  const { ram } = state;
  const hangEnd = ram.hang === undefined ? undefined : Math.min(ram.hang.until, ram.hang.watchdogAt);
  switch (ram.power) {
    case 'off':
      return undefined;
    case 'dead':
      return ram.cpuTimeUpdatedAt + limits.lookMs;
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

/** The earliest time that the box waits for. It runs after each input, so it builds no list. */
function earliest(state: BoxState, lookAt: number | undefined): number | undefined {
  const { ram } = state;
  const { session, outbox, modem, goingOffline } = ram;
  // While going offline nothing else counts.
  if (goingOffline !== undefined) return goingOffline.until;
  let due = Math.min(lookAt ?? NEVER, modem.until ?? NEVER, ram.bluetoothBackAt ?? NEVER);
  due = Math.min(due, ram.pendingTask?.until ?? NEVER, ram.transfer?.dueAt ?? NEVER);
  for (const { dueAt } of FIRMWARE_FEATURES) due = Math.min(due, dueAt(state) ?? NEVER);
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
