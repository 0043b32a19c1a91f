import { BLUETOOTH_ACTIONS } from '../../bluetooth.ts';
import {
  EVENT_CODES,
  GOING_DOWN_REASONS,
  REPORT_CAUSES,
  RESET_REASONS,
  TOMBSTONE_REASONS,
} from '../../codes.ts';
import { COMMANDS, REPLY_OUTCOMES } from '../../commands.ts';
import { wireLimits } from '../../limits.ts';
import type {
  Access,
  Birth,
  CommandRequest,
  ConfigurationRequest,
  EventMessage,
  GoingDown,
  Gone,
  Heartbeat,
  Hello,
  Ready,
  Receipt,
  Reply,
  Report,
  Resend,
  SystemStatus,
  Tombstone,
  Unreadable,
} from '../../message.ts';
import {
  bool,
  list,
  names,
  namesOf,
  notBelow,
  optional,
  pair,
  range,
  risingList,
  setting,
  signed,
  tag,
  tagged,
  text,
  ulid,
  unsigned,
} from '../fields.ts';
import { measured } from './measured.ts';
import { taggedSignals } from './signals.ts';

const sequence = unsigned(4, { minimum: 1, maximum: wireLimits.highestSequence });

// Messages that the journal keeps, in generation 2.

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
  pioPortLevels: tag(0x09, list('rest', wireLimits.pioPortGroups, unsigned(1))),
  freeHeapBytes: tag(0x0a, unsigned(4, { unit: 'bytes' })),
  canBus0Active: tag(0x0b, bool()),
  canBus0ErrorFlags: tag(0x0c, unsigned(2)),
  canBus1Active: tag(0x0d, bool()),
  canBus1ErrorFlags: tag(0x0e, unsigned(2)),
});

export const reply = tagged<Reply>({
  requestId: tag(0x01, ulid()),
  outcome: tag(0x02, namesOf(REPLY_OUTCOMES)),
  error: tag(0x03, text('rest', wireLimits.errorTextBytes)),
  status: tag(0x04, optional(status)),
  signals: tag(0x05, optional(taggedSignals)),
});

export const access = tagged<Access>({
  tokenId: tag(0x01, ulid()),
  action: tag(0x02, namesOf(BLUETOOTH_ACTIONS)),
  outcome: tag(0x03, namesOf(REPLY_OUTCOMES)),
  error: tag(0x04, text('rest', wireLimits.errorTextBytes)),
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

// Messages from the backend to a box of generation 2.

export const receipt = tagged<Receipt>({
  contiguous: tag(0x01, unsigned(4, { maximum: wireLimits.highestSequence })),
  ranges: tag(0x02, risingList('rest', wireLimits.receiptRanges, range(sequence), 'range', sequence)),
});

export const command = tagged<CommandRequest>({
  requestId: tag(0x01, ulid()),
  command: tag(0x02, namesOf(COMMANDS)),
  expiresMs: tag(0x03, unsigned(6, { unit: 'ms' })),
});

export const configuration = tagged<ConfigurationRequest>({
  requestId: tag(0x01, ulid()),
  revision: tag(0x02, unsigned(4)),
  expiresMs: tag(0x03, unsigned(6, { unit: 'ms' })),
  settings: tag(0x04, list('rest', wireLimits.settings, setting())),
});

export const unreadable = tagged<Unreadable>({
  sequences: tag(0x01, list('rest', wireLimits.unreadableSequences, sequence)),
});

export const resend = tagged<Resend>({});

// Messages at the beginning and end of a connection, in generation 2.

export const hello = tagged<Hello>({
  connection: tag(0x01, unsigned(4)),
  firmware: tag(0x02, pair(unsigned(1), unsigned(1))),
  hardwareRevision: tag(0x03, unsigned(2)),
  resetReason: tag(0x04, names(RESET_REASONS)),
  lowestHeld: tag(0x05, sequence),
  nextSequence: tag(0x06, notBelow('lowestHeld', sequence)),
  configurationRevision: tag(0x07, unsigned(4)),
});

export const goingDown = tagged<GoingDown>({
  reason: tag(0x01, names(GOING_DOWN_REASONS)),
  expectedS: tag(0x02, unsigned(2, { unit: 's' })),
  connection: tag(0x03, unsigned(4)),
});

export const ready = tagged<Ready>({});
export const birth = tagged<Birth>({ connection: tag(0x01, unsigned(4)) });
export const gone = tagged<Gone>({ connection: tag(0x01, unsigned(4)) });
