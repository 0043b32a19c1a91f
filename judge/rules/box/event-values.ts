import type { Measured } from '../../../protocol/measured.ts';
import type { BoxHistory, BoxMemory, PerformedAct } from '../../evidence/box-history.ts';
import type { ClockError, Evidence, RecordedFrame } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { type Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { memoriesBetween } from './box-moments.ts';

type Truths = readonly Readonly<Record<string, unknown>>[];
type Values = BoxMemory['configuration']['values'];

/** What the values of one event are compared with. Times are true ones. */
interface EventScene {
  readonly measured: Measured;
  readonly beganMs: number;
  readonly truthsAt: (atMs: number) => Truths;
  /** The acts on the vehicle at that time that could have caused it. */
  readonly acts: readonly PerformedAct[];
  /** The settings that were in force at some moment since it began. */
  readonly inForce: readonly Values[];
}

/**
 * Compares the measurements of a feature's event with the physics and the acts on the vehicle: speed, strength,
 * duration, side; and checks that they reached the configured threshold (docs/messages.md). Only for events whose
 * beginning is known exactly.
 */
export function judgeEventValues(
  vehicle: SimulatedVehicle,
  frame: RecordedFrame,
  evidence: Pick<Evidence, 'boxHistory' | 'truthsBetween' | 'clockErrors'>,
  findings: Findings,
): void {
  const { message, epoch, sequence } = frame;
  if (message.kind !== 'event' || message.measured === undefined) return;
  const recordedMs = trueTimeOf(frame, evidence.clockErrors(vehicle));
  const history = evidence.boxHistory(vehicle);
  if (recordedMs === undefined || !history.isWhole) return;
  const { measured } = message;
  const beganMs = recordedMs - measured.agoMs;
  const scene = {
    measured,
    beganMs,
    inForce: valuesBetween(history, beganMs, recordedMs),
    acts: history.acts.filter(
      ({ refusal, atMs }) =>
        refusal === undefined && atMs >= beganMs - limits.nearEventMs && atMs <= recordedMs,
    ),
    truthsAt: (atMs: number) =>
      evidence.truthsBetween(vehicle, atMs - limits.eventMomentMs, atMs + limits.eventMomentMs) ?? [],
  };
  for (const text of faultsOf(scene))
    findings.add(
      'told with wrong values',
      `${message.event}, record ${vehicle.boxId ?? ''}/${epoch}/${sequence} of ${nameOf(vehicle)}: ${text}`,
      { vehicle, atMs: beganMs },
    );
}

/** When the record was written; undefined: its clock matches no moment, or several. */
function trueTimeOf({ clockMs, atMs }: RecordedFrame, clocks: readonly ClockError[]): number | undefined {
  if (clockMs === 0) return undefined;
  if (clocks.length === 0) return clockMs;
  const moments = clocks.flatMap(({ fromMs, errorMs }, index) => {
    const untilMs = clocks[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY;
    const trueMs = clockMs - (errorMs ?? 0);
    const slackMs = limits.clockSlackMs;
    const isThen = trueMs >= fromMs - slackMs && trueMs <= Math.min(untilMs, atMs) + slackMs;
    return errorMs !== undefined && isThen ? [trueMs] : [];
  });
  const [first, ...others] = moments;
  return others.every((one) => Math.abs(one - (first ?? 0)) <= limits.clockSlackMs) ? first : undefined;
}

function valuesBetween({ memories }: BoxHistory, fromMs: number, toMs: number): readonly Values[] {
  // An event may be written at the same moment as the configuration that enables it.
  return memoriesBetween(memories, fromMs - limits.eventSlackMs, toMs + limits.clockSlackMs).map(
    ({ configuration }) => configuration.values,
  );
}

function* faultsOf(scene: EventScene): Generator<string> {
  const { braking, cornering, crash, shock, smoke } = scene.measured;
  const { beganMs } = scene;
  if (braking !== undefined) {
    yield* speedFault(scene, 'before', braking.speedBeforeKph, beganMs);
    yield* speedFault(scene, 'after', braking.speedAfterKph, beganMs + braking.durationMs);
    yield* thresholdFault(scene, 'driving.brakingAccelerationMg', braking.peakMg);
    const meanMg =
      ((braking.speedBeforeKph - braking.speedAfterKph) * MG_OF_KPH_PER_MS) / Math.max(1, braking.durationMs);
    if (braking.peakMg < meanMg * limits.leastPeakShare - limits.eventMg)
      yield `${braking.peakMg} mg at most, and ${Math.round(meanMg)} mg in the mean by its speeds`;
  }
  if (cornering !== undefined) {
    yield* thresholdFault(scene, 'driving.corneringAccelerationMg', cornering.peakMg);
    const truths = [beganMs, beganMs + cornering.durationMs].flatMap((atMs) => scene.truthsAt(atMs));
    yield* outside('its speed', cornering.speedKph, truths);
  }
  if (crash !== undefined) {
    yield* thresholdFault(scene, 'driving.crashAccelerationMg', crash.peakMg);
    yield* blowFaults(scene, 'crash', crash);
    const mostMs = Math.max(...scene.inForce.map((values) => values['driving.crashGatheringS'] ?? 0)) * 1_000;
    if (scene.inForce.length > 0 && crash.gatheredMs > mostMs)
      yield `${crash.gatheredMs} ms were gathered, and ${mostMs} ms are configured`;
  }
  if (shock !== undefined) {
    if (shock.peakMg < limits.shockMg - limits.eventMg) yield `${shock.peakMg} mg are no shock`;
    yield* blowFaults(scene, 'shock', shock);
  }
  if (smoke !== undefined) {
    yield* thresholdFault(scene, 'smoke.concentrationUgPerM3', smoke.concentrationUgPerM3);
    const strongest = scene.acts.flatMap(({ name, settings }) =>
      name === 'smoke'
        ? [
            (settings as { readonly concentration_in_micrograms_per_cubic_meter: number })
              .concentration_in_micrograms_per_cubic_meter,
          ]
        : [],
    );
    if (strongest.length === 1 && smoke.concentrationUgPerM3 > (strongest[0] ?? 0) + 1)
      yield `${smoke.concentrationUgPerM3} µg/m³, and there were ${strongest[0]}`;
  }
}

/** An acceleration in thousandths of gravity, of a change of speed in km/h within a millisecond. */
const MG_OF_KPH_PER_MS = 1_000_000 / 3.6 / 9.806_65;

function* speedFault(scene: EventScene, when: string, told: number, atMs: number): Generator<string> {
  yield* outside(`its speed ${when} it`, told, scene.truthsAt(atMs));
}

function* outside(what: string, told: number, truths: Truths): Generator<string> {
  const speeds = truths.map(({ speedKph }) => Number(speedKph));
  const [least, most] = [Math.min(...speeds), Math.max(...speeds)];
  const isSo = told >= least - limits.eventSpeedKph && told <= most + limits.eventSpeedKph;
  if (speeds.length > 0 && !isSo)
    yield `${what} is ${told} km/h, and it was ${least.toFixed(1)} to ${most.toFixed(1)} km/h`;
}

/** A reported value has reached a threshold that was in force. */
function* thresholdFault({ inForce }: EventScene, setting: string, told: number): Generator<string> {
  const least = Math.min(...inForce.map((values) => values[setting] ?? 0));
  if (inForce.length > 0 && told < least - limits.eventMg) yield `${told} is below ${setting} ${least}`;
}

interface Blow {
  readonly peakMg: number;
  readonly durationMs: number;
  readonly direction: string;
}

/** Compared with the only blow to the vehicle at that time; with several it is ambiguous. */
function* blowFaults({ acts, beganMs }: EventScene, what: string, told: Blow): Generator<string> {
  const blows = acts.filter(({ name }) => BLOWS.has(name));
  const [blow] = blows;
  if (blow === undefined || blows.length > 1 || Math.abs(blow.atMs - beganMs) > limits.eventSlackMs) return;
  const {
    acceleration_in_mg: mg,
    duration_ms: ms,
    direction,
  } = blow.settings as Readonly<Record<'acceleration_in_mg' | 'duration_ms', number>> & {
    readonly direction: string;
  };
  if (Math.abs(told.peakMg - mg) > limits.eventMg) yield `${told.peakMg} mg, and the ${what} was of ${mg} mg`;
  if (Math.abs(told.durationMs - ms) > limits.eventMomentMs)
    yield `${told.durationMs} ms, and it lasted ${ms} ms`;
  if (told.direction !== direction) yield `from the ${told.direction}, and it came from the ${direction}`;
}

const BLOWS: ReadonlySet<string> = new Set(['crash', 'shock', 'bump']);
