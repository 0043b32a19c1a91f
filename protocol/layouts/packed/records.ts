import { BLUETOOTH_ACTIONS } from '../../bluetooth.ts';
import { EVENT_CODES, REPORT_CAUSES, RESET_REASONS, TOMBSTONE_REASONS } from '../../codes.ts';
import { REPLY_OUTCOMES } from '../../commands.ts';
import { limits } from '../../limits.ts';
import type {
  Access,
  EventMessage,
  Heartbeat,
  Reply,
  Report,
  SystemStatus,
  Tombstone,
} from '../../message.ts';
import {
  bitmap,
  bool,
  list,
  names,
  namesOf,
  notBelow,
  optional,
  packed,
  signed,
  text,
  ulid,
  unsigned,
} from '../fields.ts';
import { measured } from './measured.ts';
import { fixedSignals } from './signals.ts';

/** Messages that the journal keeps, in generation 1. */
const sequence = unsigned(4, { minimum: 1, maximum: limits.highestSequence });

export const report = packed<Report>({
  cause: names(REPORT_CAUSES),
  signals: fixedSignals,
});

export const heartbeat = packed<Heartbeat>({});

export const event = packed<EventMessage>({
  event: names(EVENT_CODES),
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
  canBus0Active: bool(),
  canBus0ErrorFlags: unsigned(2),
  canBus1Active: bool(),
  canBus1ErrorFlags: unsigned(2),
});

export const reply = bitmap<Reply>({
  requestId: ulid(),
  outcome: namesOf(REPLY_OUTCOMES),
  error: text('slots', limits.errorTextBytes),
  status: optional(status),
  signals: optional(fixedSignals),
});

export const access = packed<Access>({
  tokenId: ulid(),
  action: namesOf(BLUETOOTH_ACTIONS),
  outcome: namesOf(REPLY_OUTCOMES),
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
