import { MEASURED_EVENTS, type Measured, type MeasuredEventName } from '../../protocol/measured.ts';
import type { Signals } from '../../protocol/signals.ts';
import type { Place } from '../arithmetic.ts';
import { record, type Turn } from './turn.ts';

/** One part of what can be measured. */
export type MeasuredOne = Omit<Measured, 'agoMs' | 'place'>;

/** Where and since when, in true time, something was noticed. */
export interface Noticed {
  readonly fromMs: number;
  readonly place: Place | undefined;
}

/** Writes down an event of a feature, with what can be read now and what was measured of it. */
export function tellMeasured(
  turn: Turn,
  signals: Signals,
  { fromMs, place }: Noticed,
  one: MeasuredOne,
): void {
  const names = Object.keys(MEASURED_EVENTS) as MeasuredEventName[];
  const event = names.find((name) => one[MEASURED_EVENTS[name]] !== undefined);
  if (event === undefined) return;
  const agoMs = Math.max(0, Math.round(turn.at - fromMs));
  const at = place === undefined ? {} : { place: { latitude: place.latitude, longitude: place.longitude } };
  record(turn, { kind: 'event', event, signals, measured: { agoMs, ...at, ...one } });
  turn.ram.sampler = { ...turn.ram.sampler, contactAt: turn.at };
}
