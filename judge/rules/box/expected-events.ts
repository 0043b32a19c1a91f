import type { EventName } from '../../../protocol/message.ts';
import type { BoxHistory, BoxMemory, PerformedAct } from '../../evidence/box-history.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import type { RunTimes } from '../answers/run-times.ts';
import { limits } from '../limits.ts';
import { memoriesBetween, ranThroughout } from './box-moments.ts';

/** An event that a box must have reported. */
export interface ExpectedEvent {
  readonly event: EventName;
  readonly atMs: number;
  /** When its record must be written, and sent if the box can. */
  readonly dueMs: number;
  readonly what: string;
}

interface Impact {
  readonly acceleration_in_mg: number;
  readonly duration_ms: number;
}

interface Smoke {
  readonly concentration_in_micrograms_per_cubic_meter: number;
  readonly duration_s: number;
}

type Values = BoxMemory['configuration']['values'];
type Truths = readonly Readonly<Record<string, unknown>>[];

/**
 * Acts of the scenario on the vehicle that were strong and long enough for an event, by the configuration that was in
 * force all the time, while the box ran and the ignition was as the feature requires. Ambiguous acts, such as two blows
 * at once, are excluded.
 */
export function expectedEvents(
  vehicle: SimulatedVehicle,
  evidence: Pick<Evidence, 'boxHistory' | 'truthsBetween'>,
  times: RunTimes,
): readonly ExpectedEvent[] {
  const history = evidence.boxHistory(vehicle);
  return history.acts.flatMap((act): ExpectedEvent[] => {
    if (act.refusal !== undefined) return [];
    const row = INCIDENTS[act.name];
    if (row === undefined) return [];
    const { atMs } = act;
    const endMs = atMs + row.lastsMs(act, history);
    const fromMs = atMs - limits.eventSlackMs;
    const stoodStillMs = times.stoodStillUntilMs(vehicle, { fromMs, toMs: endMs + limits.eventSlackMs });
    // A blow is still in the sensor's buffer when the box next reads it; smoke may be over.
    if (stoodStillMs !== undefined && act.name === 'smoke') return [];
    const untilMs = Math.max(endMs, stoodStillMs ?? endMs) + limits.eventSlackMs;
    if (!ranThroughout(history.memories, fromMs, untilMs) || isAnotherNear(act, untilMs, history)) return [];
    const values = valuesThroughout(history, fromMs, untilMs);
    // A stalled box determines only at its next read whether the vehicle was driven or parked at the blow.
    const lookMs = stoodStillMs === undefined ? fromMs : fromMs - limits.standsStillMs;
    const truths = evidence.truthsBetween(vehicle, lookMs, untilMs) ?? [];
    const event = values && truths.length > 0 ? row.event(act, values, truths) : undefined;
    if (values === undefined || event === undefined) return [];
    const gatheredMs = event === 'crash' ? (values['driving.crashGatheringS'] ?? 0) * 1_000 : 0;
    const what = `${act.name} ${JSON.stringify(act.settings)}`;
    const dueMs = untilMs + gatheredMs + limits.eventSlackMs;
    // Its own write may be slow, too.
    const writtenMs = times.stoodStillUntilMs(vehicle, { fromMs, toMs: dueMs }) ?? 0;
    return [{ event, atMs, dueMs: Math.max(dueMs, writtenMs + limits.eventSlackMs), what }];
  });
}

/** The event that each act of this kind causes, and how long the box must have run before. */
const INCIDENTS: Readonly<
  Record<
    string,
    {
      readonly lastsMs: (act: PerformedAct, history: BoxHistory) => number;
      readonly event: (act: PerformedAct, values: Values, truths: Truths) => EventName | undefined;
    }
  >
> = {
  crash: { lastsMs: ({ settings }) => (settings as Impact).duration_ms, event: eventOfImpact },
  shock: { lastsMs: ({ settings }) => (settings as Impact).duration_ms, event: eventOfImpact },
  smoke: {
    lastsMs: ({ settings }) => (settings as Smoke).duration_s * 1_000,
    event({ settings }, values) {
      const { concentration_in_micrograms_per_cubic_meter: concentration, duration_s: durationS } =
        settings as Smoke;
      const isStrong = concentration >= (values['smoke.concentrationUgPerM3'] ?? 0);
      const isLong = durationS >= (values['smoke.durationS'] ?? 0) + limits.eventSlackMs / 1_000;
      return values['smoke.enabled'] === 1 && isStrong && isLong ? 'smoke' : undefined;
    },
  },
};

/** A blow with the ignition on is a crash by the configured strength and duration; one to a parked vehicle is a shock. */
function eventOfImpact({ settings }: PerformedAct, values: Values, truths: Truths): EventName | undefined {
  const { acceleration_in_mg: accelerationMg, duration_ms: durationMs } = settings as Impact;
  if (truths.every(({ ignitionOn }) => ignitionOn === true)) {
    const isStrong = accelerationMg >= (values['driving.crashAccelerationMg'] ?? 0);
    const isLong = durationMs >= (values['driving.crashDurationMs'] ?? 0);
    return values['driving.enabled'] === 1 && isStrong && isLong ? 'crash' : undefined;
  }
  if (!truths.every(({ ignitionOn }) => ignitionOn === false)) return undefined;
  return values['parking.enabled'] === 1 && accelerationMg >= limits.shockMg ? 'shock' : undefined;
}

/** Two at once may be one event or two. Smoke during smoke is the same event. */
function isAnotherNear({ atMs, name }: PerformedAct, untilMs: number, history: BoxHistory): boolean {
  const isSmoke = name === 'smoke';
  return history.acts.some(
    (one) =>
      one.refusal === undefined &&
      (one.name in INCIDENTS || one.name === 'bump') &&
      (one.name === 'smoke') === isSmoke &&
      (one.atMs !== atMs || one.name !== name) &&
      one.atMs + (INCIDENTS[one.name]?.lastsMs(one, history) ?? 0) >= atMs - limits.nearEventMs &&
      one.atMs <= untilMs,
  );
}

/** The settings, if they were the same all the time. */
function valuesThroughout({ memories }: BoxHistory, fromMs: number, untilMs: number): Values | undefined {
  const [first, ...others] = memoriesBetween(memories, fromMs, untilMs);
  return others.every(({ configuration }) => configuration === first?.configuration)
    ? first?.configuration.values
    : undefined;
}
