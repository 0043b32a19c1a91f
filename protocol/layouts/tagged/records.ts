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
  bool,
  list,
  names,
  namesOf,
  notBelow,
  optional,
  signed,
  tag,
  tagged,
  text,
  ulid,
  unsigned,
} from '../fields.ts';
import { measured } from './measured.ts';
import { taggedSignals } from './signals.ts';

/** Messages that the journal keeps, in generation 2. */
const sequence = unsigned(4, { minimum: 1, maximum: limits.highestSequence });

export const report = tagged<Report>({
  cause: tag(0x01, names(REPORT_CAUSES)),
  signals: tag(0x02, taggedSignals),
});

export const heartbeat = tagged<Heartbeat>({});

export const event = tagged<EventMessage>({
  event: tag(0x01, names(EVENT_CODES)),
  signals: tag(0x02, taggedSignals),
  measured: tag(0x03, optional(measured)),
});

const status = tagged<SystemStatus>({
  realTimeClockMs: tag(0x01, unsigned(6, { unit: 'ms' })),
  deviceUpSinceMs: tag(0x02, unsigned(6, { unit: 'ms' })),
  modemUpSinceMs: tag(0x03, unsigned(6, { unit: 'ms' })),
  dataConnectionUpSinceMs: tag(0x04, unsigned(6, { unit: 'ms' })),
  cpuTimeS: tag(0x05, unsigned(4, { unit: 's' })),
  resetReason: tag(0x06, names(RESET_REASONS)),
  cpuTemperatureDeciC: tag(0x07, signed(2, { unit: '0.1 °C' })),
  hardwareRevision: tag(0x08, unsigned(2)),
  pioPortLevels: tag(0x09, list('rest', limits.pioPortGroups, unsigned(1))),
  freeHeapBytes: tag(0x0a, unsigned(4, { unit: 'bytes' })),
  canBus0Active: tag(0x0b, bool()),
  canBus0ErrorFlags: tag(0x0c, unsigned(2)),
  canBus1Active: tag(0x0d, bool()),
  canBus1ErrorFlags: tag(0x0e, unsigned(2)),
});

export const reply = tagged<Reply>({
  requestId: tag(0x01, ulid()),
  outcome: tag(0x02, namesOf(REPLY_OUTCOMES)),
  error: tag(0x03, text('rest', limits.errorTextBytes)),
  status: tag(0x04, optional(status)),
  signals: tag(0x05, optional(taggedSignals)),
});

export const access = tagged<Access>({
  tokenId: tag(0x01, ulid()),
  action: tag(0x02, namesOf(BLUETOOTH_ACTIONS)),
  outcome: tag(0x03, namesOf(REPLY_OUTCOMES)),
  error: tag(0x04, text('rest', limits.errorTextBytes)),
  signals: tag(0x05, taggedSignals),
});

export const tombstone = tagged<Tombstone>({
  reason: tag(0x01, names(TOMBSTONE_REASONS)),
  first: tag(0x02, sequence),
  last: tag(0x03, notBelow('first', sequence)),
  reports: tag(0x04, unsigned(4)),
  events: tag(0x05, unsigned(4)),
  replies: tag(0x06, unsigned(4)),
});
