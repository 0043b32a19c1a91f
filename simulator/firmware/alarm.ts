import { limits } from '../limits.ts';
import { detectAt } from './detect.ts';
import { dueAt } from './immobilizer.ts';
import { standbyAt } from './sampler.ts';
import { bootedAt } from './self-test.ts';
import type { BoxState } from './state.ts';
import { isPending } from './update.ts';

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
      return hangEnd ?? earliest(deadlines(state, lookAt));
    default:
      return ram.power satisfies never;
  }
}

function deadlines(state: BoxState, lookAt: number | undefined): readonly (number | undefined)[] {
  const { ram, flash } = state;
  const { session, outbox, modem } = ram;
  // On its way down nothing else counts.
  if (ram.leaving !== undefined) return [ram.leaving.until];
  const isDown = session.phase === 'down';
  const isWaiting = session.phase === 'connecting' || session.phase === 'subscribing';
  const oldest = outbox.inFlight[0];
  return [
    lookAt,
    standbyAt({ ram, flash }),
    modem.until,
    ram.bleBackAt,
    ram.errand?.until,
    ram.calibration?.until,
    ram.powerLookAt,
    ram.transfer?.dueAt,
    isPending(flash) ? ram.reckonedAt + limits.lookMs : undefined,
    dueAt({ ram, flash }),
    detectAt({ ram, flash }),
    ram.setup?.lookAt,
    isDown && modem.phase === 'data-up' ? session.retryAt : undefined,
    isWaiting ? session.until : undefined,
    session.phase === 'greeting' ? session.helloRepeatAt : undefined,
    session.phase === 'ready' ? outbox.resendAt : undefined,
    session.phase === 'ready' ? session.readyRepeatAt : undefined,
    oldest === undefined ? undefined : oldest.at + limits.acknowledgementTimeoutMs,
  ];
}

function earliest(times: readonly (number | undefined)[]): number | undefined {
  let first: number | undefined;
  for (const time of times) if (time !== undefined && (first === undefined || time < first)) first = time;
  return first;
}
