import { MEASURED_EVENTS, type Measured, type MeasuredEventName } from '../../../protocol/measured.ts';
import type { Signals } from '../../../protocol/signals.ts';
import type { GeoPoint } from '../../arithmetic.ts';
import type { StepContext } from '../core/step-context.ts';
import { appendRecord } from '../core/step-writes.ts';

/** The measured values of one kind. */
export type MeasuredDetails = Omit<Measured, 'agoMs' | 'place'>;

/** Where something was detected and since when, in true time. */
export interface Occurrence {
  readonly fromMs: number;
  readonly place: GeoPoint | undefined;
}

/** Records an event of a feature, with everything that can be read now and the measured values. */
export function recordMeasuredEvent(
  context: StepContext,
  signals: Signals,
  { fromMs, place }: Occurrence,
  one: MeasuredDetails,
): void {
  const names = Object.keys(MEASURED_EVENTS) as MeasuredEventName[];
  const event = names.find((name) => one[MEASURED_EVENTS[name]] !== undefined);
  if (event === undefined) return;
  const agoMs = Math.max(0, Math.round(context.at - fromMs));
  const at = place === undefined ? {} : { place: { latitude: place.latitude, longitude: place.longitude } };
  appendRecord(context, { kind: 'event', event, signals, measured: { agoMs, ...at, ...one } });
  context.ram.sampler = { ...context.ram.sampler, contactAt: context.at };
}
