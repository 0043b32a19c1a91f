import type { EventName, ReportCause } from '../../../protocol/message.ts';
import type { Signals } from '../../../protocol/signals.ts';
import { limits } from '../../limits.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import { readSignals } from '../commands/workshop.ts';
import type { StepContext } from '../core/step-context.ts';
import { appendRecord } from '../core/step-writes.ts';
import { hasBus, isRestReadingDue, noteRestReading } from '../power/reading-at-rest.ts';
import { heardBuses } from './can.ts';
import type { SeenInputs } from './sampling-state.ts';

/** One row for each input whose change is an event. */
const EVENTS: readonly { readonly of: keyof SeenInputs; readonly on: EventName; readonly off: EventName }[] =
  [
    { of: 'ignitionOn', on: 'ignition-on', off: 'ignition-off' },
    { of: 'anyDoorOpen', on: 'door-opened', off: 'door-closed' },
    { of: 'locked', on: 'locked', off: 'unlocked' },
    { of: 'drivingEnabled', on: 'driving-enabled', off: 'driving-disabled' },
    { of: 'topCaseOpen', on: 'top-case-opened', off: 'top-case-closed' },
    { of: 'topCaseLocked', on: 'top-case-locked', off: 'top-case-unlocked' },
    { of: 'standExtended', on: 'stand-extended', off: 'stand-retracted' },
    { of: 'compartmentLocked', on: 'compartment-closed', off: 'compartment-opened' },
    { of: 'pluggedIn', on: 'plug-connected', off: 'plug-disconnected' },
    { of: 'charging', on: 'charging-started', off: 'charging-ended' },
  ];

/**
 * Samples the inputs: events for changes, then a report if one is due. A report that would repeat a record of the
 * same step, an event or a reply, is merged into that: the state counts as reported.
 */
export function sampleInputs(context: StepContext, sensors: SensorInputs): void {
  const { sampler } = context.ram;
  const before = sampler.seen;
  const seen = seenInputsOf(sensors);
  const lookAt = seen.ignitionOn ? context.at + limits.lookMs : undefined;
  const owesRestReading = sampler.owesRestReading || seen.ignitionOn || before?.ignitionOn !== false;
  context.ram.sampler = { ...sampler, seen, lookAt, owesRestReading };
  if (before !== undefined) {
    for (const { of, on, off } of EVENTS) {
      if (before[of] !== seen[of]) recordEvent(context, sensors, seen[of] ? on : off);
    }
  }
  const cause = reportCause(context, sensors, before === undefined);
  if (cause !== undefined) recordReport(context, sensors, cause);
}

function seenInputsOf(sensors: SensorInputs): SeenInputs {
  const { ignitionOn, anyDoorOpen, locked, drivingEnabled } = sensors;
  const { topCaseOpen, topCaseLocked, standExtended, compartmentLocked, pluggedIn, charging } = sensors;
  return {
    ignitionOn,
    anyDoorOpen,
    locked,
    drivingEnabled,
    topCaseOpen,
    topCaseLocked,
    standExtended,
    compartmentLocked,
    pluggedIn,
    charging,
  };
}

/** Remembers changes that the box itself made: its reply reports them, so no event is needed. */
export function rememberOwnActuation(context: StepContext, sensors: SensorInputs): void {
  const { sampler } = context.ram;
  if (sampler.seen === undefined) return;
  const { locked, drivingEnabled, topCaseLocked, compartmentLocked } = sensors;
  const moved = { locked, drivingEnabled, topCaseLocked, compartmentLocked };
  context.ram.sampler = { ...sampler, seen: { ...sampler.seen, ...moved } };
}

/** An event with everything that can be read. Returns its sequence; undefined: there was no room. */
export function recordEvent(
  context: StepContext,
  sensors: SensorInputs,
  event: EventName,
): number | undefined {
  const sequence = appendRecord(context, { kind: 'event', event, signals: readSignals(context, sensors) });
  // If the wires to the bus are loose, the changed bus values can be read only once they are repaired.
  const owesRestReading = context.ram.sampler.owesRestReading || !hasBus(sensors.signalsAwake);
  context.ram.sampler = { ...context.ram.sampler, contactAt: context.at, owesRestReading };
  return sequence;
}

/** When the next contact is due even if nothing happens. */
export function standbyAt(context: Pick<StepContext, 'ram' | 'flash'>): number {
  const intervalS = context.flash.configuration.values['box.standbyReportIntervalS'];
  return context.ram.sampler.contactAt + intervalS * 1000;
}

function reportCause(context: StepContext, sensors: SensorInputs, isFirst: boolean): ReportCause | undefined {
  if (isFirst) return 'boot';
  const { sampler } = context.ram;
  // The values that the first report lacked.
  if (!sampler.hasReportedPosition && sensors.fix !== undefined) return 'boot';
  const { values } = context.flash.configuration;
  if (sensors.ignitionOn && values['tracking.enabled'] === 1) {
    const turned = turnedDegrees(sensors.headingDegrees, sampler.reportedHeadingDegrees);
    const isSteady = sensors.speedKph >= limits.headingSpeedKph;
    if (isSteady && turned >= values['tracking.headingChangeDegrees']) return 'heading';
    const wayM = sensors.distanceM - sampler.reportedDistanceM;
    if (wayM >= values['tracking.distanceIntervalM']) return 'distance';
    if (context.at - sampler.reportedAt >= values['tracking.timeIntervalS'] * 1000) return 'time';
  }
  if (context.at >= standbyAt(context)) return 'standby';
  return isRestReadingDue(context, sensors) ? 'rest' : undefined;
}

/** The smaller angle between two headings, 0 to 180. */
export function turnedDegrees(one: number, other: number): number {
  const apart = Math.abs(one - other) % 360;
  return apart > 180 ? 360 - apart : apart;
}

function recordReport(context: StepContext, sensors: SensorInputs, cause: ReportCause): void {
  const isPolling = !context.flash.counters.workshop;
  // A parked vehicle in a workshop has nothing new to say: contact without data.
  if (cause === 'standby' && !isPolling && !sensors.ignitionOn) appendRecord(context, { kind: 'heartbeat' });
  else {
    const report = { kind: 'report', cause, signals: readSignals(context, sensors) } as const;
    if (isSameReading(context.recordedSignals, report.signals)) noteRestReading(context, report);
    else appendRecord(context, report);
  }
  const busesHeard = context.ram.health.busesHeard | heardBuses(sensors, isPolling);
  context.ram.health = { ...context.ram.health, busesHeard };
  context.ram.sampler = {
    ...context.ram.sampler,
    reportedAt: context.at,
    reportedDistanceM: sensors.distanceM,
    reportedHeadingDegrees: sensors.headingDegrees,
    hasReportedPosition: context.ram.sampler.hasReportedPosition || sensors.fix !== undefined,
    contactAt: context.at,
  };
}

/** Whether both come from one reading of the inputs. Each reading makes new arrays; only the modem is read each time. */
function isSameReading(one: Signals | undefined, other: Signals): boolean {
  if (one === undefined) return false;
  const { modem, ...inputs } = one;
  const { modem: otherModem, ...otherInputs } = other;
  const isSameModem = modem?.csq === otherModem?.csq && modem?.network === otherModem?.network;
  const names = new Set([...Object.keys(inputs), ...Object.keys(otherInputs)] as (keyof typeof inputs)[]);
  return isSameModem && [...names].every((name) => inputs[name] === otherInputs[name]);
}
