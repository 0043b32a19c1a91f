import type { EventName, ReportCause } from '../../protocol/message.ts';
import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import { heardBuses } from './can.ts';
import { isRestDue } from './rest.ts';
import type { Turn } from './turn.ts';
import { record } from './turn.ts';
import { readSignals } from './workshop.ts';

/** What the box last saw and last told. */
export interface Sampler {
  /** Undefined: it has not looked since boot. */
  readonly seen: Seen | undefined;
  /** The last periodic report: when and where. */
  readonly reportedAt: number;
  readonly reportedDistanceM: number;
  readonly reportedHeadingDegrees: number;
  /** A report since boot had a place in it. */
  readonly isPlaced: boolean;
  /** The last record of any kind that was contact. */
  readonly contactAt: number;
  /** When to look next because ignition is on. */
  readonly lookAt: number | undefined;
  /** What the vehicle has to say at rest is not recorded yet (rest.ts). */
  readonly owesRest: boolean;
}

interface Seen {
  readonly ignitionOn: boolean;
  readonly anyDoorOpen: boolean;
  readonly locked: boolean;
  readonly drivingEnabled: boolean;
  readonly topCaseOpen: boolean;
  readonly topCaseLocked: boolean;
  readonly standExtended: boolean;
  readonly compartmentLocked: boolean;
  readonly pluggedIn: boolean;
  readonly charging: boolean;
}

export const unsampled: Sampler = {
  seen: undefined,
  reportedAt: 0,
  reportedDistanceM: 0,
  reportedHeadingDegrees: 0,
  isPlaced: false,
  contactAt: 0,
  lookAt: undefined,
  owesRest: true,
};

/** One row for each input whose change is an event. */
const EVENTS: readonly { readonly of: keyof Seen; readonly on: EventName; readonly off: EventName }[] = [
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

/** Looks at the inputs: events for what changed, then a report if one is due. */
export function look(turn: Turn, senses: Senses): void {
  const { sampler } = turn.ram;
  const before = sampler.seen;
  const seen = seenOf(senses);
  const lookAt = seen.ignitionOn ? turn.at + limits.lookMs : undefined;
  const owesRest = sampler.owesRest || seen.ignitionOn || before?.ignitionOn !== false;
  turn.ram.sampler = { ...sampler, seen, lookAt, owesRest };
  if (before !== undefined) {
    for (const { of, on, off } of EVENTS) {
      if (before[of] !== seen[of]) tell(turn, senses, seen[of] ? on : off);
    }
  }
  const cause = causeOf(turn, senses, before === undefined);
  if (cause !== undefined) report(turn, senses, cause);
}

function seenOf(senses: Senses): Seen {
  const { ignitionOn, anyDoorOpen, locked, drivingEnabled } = senses;
  const { topCaseOpen, topCaseLocked, standExtended, compartmentLocked, pluggedIn, charging } = senses;
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

/** Remembers what the box's own doing has changed, which its reply tells and no event need. */
export function noticeOwnDoing(turn: Turn, senses: Senses): void {
  const { sampler } = turn.ram;
  if (sampler.seen === undefined) return;
  const { locked, drivingEnabled, topCaseLocked, compartmentLocked } = senses;
  const moved = { locked, drivingEnabled, topCaseLocked, compartmentLocked };
  turn.ram.sampler = { ...sampler, seen: { ...sampler.seen, ...moved } };
}

/** An event with everything that can be read. Its sequence; undefined: it found no room. */
export function tell(turn: Turn, senses: Senses, event: EventName): number | undefined {
  const sequence = record(turn, { kind: 'event', event, signals: readSignals(turn, senses) });
  turn.ram.sampler = { ...turn.ram.sampler, contactAt: turn.at };
  return sequence;
}

/** When the next contact is due even if nothing happens. */
export function standbyAt(turn: Pick<Turn, 'ram' | 'flash'>): number {
  const intervalS = turn.flash.configuration.values['box.standbyReportIntervalS'];
  return turn.ram.sampler.contactAt + intervalS * 1000;
}

function causeOf(turn: Turn, senses: Senses, isFirst: boolean): ReportCause | undefined {
  if (isFirst) return 'boot';
  const { sampler } = turn.ram;
  // What the first report could not say yet.
  if (!sampler.isPlaced && senses.fix !== undefined) return 'boot';
  const { values } = turn.flash.configuration;
  if (senses.ignitionOn && values['tracking.enabled'] === 1) {
    const turned = turnedDegrees(senses.headingDegrees, sampler.reportedHeadingDegrees);
    const isSteady = senses.speedKph >= limits.headingSpeedKph;
    if (isSteady && turned >= values['tracking.headingChangeDegrees']) return 'heading';
    const wayM = senses.distanceM - sampler.reportedDistanceM;
    if (wayM >= values['tracking.distanceIntervalM']) return 'distance';
    if (turn.at - sampler.reportedAt >= values['tracking.timeIntervalS'] * 1000) return 'time';
  }
  if (turn.at >= standbyAt(turn)) return 'standby';
  return isRestDue(turn, senses) ? 'rest' : undefined;
}

/** The smaller angle between two headings, 0 to 180. */
export function turnedDegrees(one: number, other: number): number {
  const apart = Math.abs(one - other) % 360;
  return apart > 180 ? 360 - apart : apart;
}

function report(turn: Turn, senses: Senses, cause: ReportCause): void {
  const isPolling = !turn.flash.counters.workshop;
  // A parked vehicle in a workshop has nothing new to say: contact without data.
  if (cause === 'standby' && !isPolling && !senses.ignitionOn) record(turn, { kind: 'heartbeat' });
  else record(turn, { kind: 'report', cause, signals: readSignals(turn, senses) });
  const busesHeard = turn.ram.health.busesHeard | heardBuses(senses, isPolling);
  turn.ram.health = { ...turn.ram.health, busesHeard };
  turn.ram.sampler = {
    ...turn.ram.sampler,
    reportedAt: turn.at,
    reportedDistanceM: senses.distanceM,
    reportedHeadingDegrees: senses.headingDegrees,
    isPlaced: turn.ram.sampler.isPlaced || senses.fix !== undefined,
    contactAt: turn.at,
  };
}
