import type { CommandName } from '../../../protocol/commands.ts';
import type { AnsweredCall, ClockError } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { mostErrorMs } from '../box/box-moments.ts';
import { limits } from '../limits.ts';
import type { RunTimes } from './run-times.ts';

/** What a reset restarts: docs/api.md, Box commands. */
const BEGUN_ANEW: Readonly<Partial<Record<CommandName, readonly string[]>>> = {
  'board-reset': ['device_up_since', 'modem_up_since', 'data_connection_up_since'],
  'modem-reset': ['modem_up_since', 'data_connection_up_since'],
  'data-connection-reset': ['data_connection_up_since'],
};
/** Each began after the previous one, and before the clock was read. */
const IN_ORDER = [
  'device_up_since',
  'modem_up_since',
  'data_connection_up_since',
  'real_time_clock',
] as const;

/** The impossible values in a system status, as sentences: `own` are the calls of its vehicle. */
export function* statusFaults(
  { body, askedMs, answeredMs }: AnsweredCall,
  own: readonly AnsweredCall[],
  vehicle: SimulatedVehicle,
  times: RunTimes,
  clocks: readonly ClockError[],
): Generator<string> {
  const told = (body ?? {}) as Readonly<Record<string, unknown>>;
  // A box whose clock jumped reports times of its own.
  if (times.isUnder('box clock-jump', vehicle, { fromMs: 0, toMs: answeredMs })) return;
  let beforeMs = 0;
  for (const name of IN_ORDER) {
    const atMs = timeOf(told[name]);
    if (atMs === undefined) return;
    if (atMs + limits.statusSlackMs < beforeMs)
      yield `${name} is ${String(told[name])}, before what it is built on`;
    beforeMs = atMs;
  }
  const clockMs = timeOf(told['real_time_clock']) ?? 0;
  // After a slow first answer a box sets its clock by the middle of the round trip.
  const slackMs = limits.statusSlackMs + mostErrorMs(clocks, askedMs, answeredMs);
  if (clockMs < askedMs - slackMs || clockMs > answeredMs + slackMs)
    yield `real_time_clock is ${String(told['real_time_clock'])}, and that was not the time of the call`;
  for (const reset of own) {
    const name = reset.path.split('/').at(-1) ?? '';
    if (reset.method !== 'POST' || reset.status !== 204 || reset.answeredMs >= askedMs) continue;
    for (const property of BEGUN_ANEW[name as CommandName] ?? []) {
      const atMs = timeOf(told[property]) ?? 0;
      if (atMs + limits.statusSlackMs < reset.askedMs)
        yield `${property} is ${String(told[property])}, before the ${name} of call ${reset.call}`;
    }
  }
}

/** Undefined: the box does not know its time, or was not up. */
function timeOf(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(ms) || ms === 0 ? undefined : ms;
}
