import { BLUETOOTH_ACTIONS } from '../bluetooth.ts';
import { EVENTS, REPORT_CAUSES, RESET_REASONS, TOMBSTONE_REASONS } from '../codes.ts';
import { OUTCOMES } from '../commands.ts';
import {
  bitmap,
  list,
  names,
  namesOf,
  notBelow,
  optional,
  packed,
  signed,
  text,
  truth,
  ulid,
  unsigned,
} from '../fields.ts';
import { limits } from '../limits.ts';
import type { Access, EventMessage, Heartbeat, Reply, Report, SystemStatus, Tombstone } from '../message.ts';
import { measured } from './measured.ts';
import { fixedSignals } from './signals.ts';

/** What the journal keeps, as generation 1 writes it. */
const sequence = unsigned(4, { minimum: 1, maximum: limits.highestSequence });

export const report = packed<Report>({
  cause: names(REPORT_CAUSES),
  signals: fixedSignals,
});

export const heartbeat = packed<Heartbeat>({});

export const event = packed<EventMessage>({
  event: names(EVENTS),
  signals: fixedSignals,
  measured: optional(measured),
});

const status = packed<SystemStatus>({
  realTimeClockMs: unsigned(6, { unit: 'ms' }),
  deviceUpSinceMs: unsigned(6, { unit: 'ms' }),
  modemUpSinceMs: unsigned(6, { unit: 'ms' }),
  dataConnectionUpSinceMs: unsigned(6, { unit: 'ms' }),
  cpuTimeS: unsigned(4, { unit: 's' }),
  resetReason: names(RESET_REASONS),
  cpuTemperatureDeciC: signed(2, { unit: '0.1 °C' }),
  hardwareRevision: unsigned(2),
  pioPortLevels: list('slots', limits.pioPortGroups, unsigned(1)),
  freeHeapBytes: unsigned(4, { unit: 'bytes' }),
  canBus0Active: truth(),
  canBus0ErrorFlags: unsigned(2),
  canBus1Active: truth(),
  canBus1ErrorFlags: unsigned(2),
});

export const reply = bitmap<Reply>({
  requestId: ulid(),
  outcome: namesOf(OUTCOMES),
  error: text('slots', limits.errorTextBytes),
  status: optional(status),
  signals: optional(fixedSignals),
});

export const access = packed<Access>({
  tokenId: ulid(),
  action: namesOf(BLUETOOTH_ACTIONS),
  outcome: namesOf(OUTCOMES),
  error: text('slots', limits.errorTextBytes),
  signals: fixedSignals,
});

export const tombstone = packed<Tombstone>({
  reason: names(TOMBSTONE_REASONS),
  first: sequence,
  last: notBelow('first', sequence),
  reports: unsigned(4),
  events: unsigned(4),
  replies: unsigned(4),
});
