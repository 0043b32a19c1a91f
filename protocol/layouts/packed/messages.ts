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
  bitmap,
  bool,
  list,
  names,
  namesOf,
  notBelow,
  optional,
  packed,
  pair,
  range,
  risingList,
  setting,
  signed,
  text,
  ulid,
  unsigned,
} from '../fields.ts';
import { measured } from './measured.ts';
import { fixedSignals } from './signals.ts';

const sequence = unsigned(4, { minimum: 1, maximum: wireLimits.highestSequence });

// Messages that the journal keeps, in generation 1.

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
  pioPortLevels: list('slots', wireLimits.pioPortGroups, unsigned(1)),
  freeHeapBytes: unsigned(4, { unit: 'bytes' }),
  canBus0Active: bool(),
  canBus0ErrorFlags: unsigned(2),
  canBus1Active: bool(),
  canBus1ErrorFlags: unsigned(2),
});

export const reply = bitmap<Reply>({
  requestId: ulid(),
  outcome: namesOf(REPLY_OUTCOMES),
  error: text('slots', wireLimits.errorTextBytes),
  status: optional(status),
  signals: optional(fixedSignals),
});

export const access = packed<Access>({
  tokenId: ulid(),
  action: namesOf(BLUETOOTH_ACTIONS),
  outcome: namesOf(REPLY_OUTCOMES),
  error: text('slots', wireLimits.errorTextBytes),
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

// Messages from the backend to a box of generation 1.

export const receipt = packed<Receipt>({
  contiguous: unsigned(4, { maximum: wireLimits.highestSequence }),
  ranges: risingList('slots', wireLimits.receiptRanges, range(sequence), 'range', sequence),
});

export const command = packed<CommandRequest>({
  requestId: ulid(),
  command: namesOf(COMMANDS),
  expiresMs: unsigned(6, { unit: 'ms' }),
});

export const configuration = packed<ConfigurationRequest>({
  requestId: ulid(),
  revision: unsigned(4),
  expiresMs: unsigned(6, { unit: 'ms' }),
  settings: list('counted', wireLimits.settings, setting()),
});

export const unreadable = packed<Unreadable>({
  sequences: list('counted', wireLimits.unreadableSequences, sequence),
});

export const resend = packed<Resend>({});

// Messages at the beginning and end of a connection, in generation 1.

export const hello = packed<Hello>({
  connection: unsigned(4),
  firmware: pair(unsigned(1), unsigned(1)),
  hardwareRevision: unsigned(2),
  resetReason: names(RESET_REASONS),
  lowestHeld: sequence,
  nextSequence: notBelow('lowestHeld', sequence),
  configurationRevision: unsigned(4),
});

export const goingDown = packed<GoingDown>({
  connection: unsigned(4),
  reason: names(GOING_DOWN_REASONS),
  expectedS: unsigned(2, { unit: 's' }),
});

export const ready = packed<Ready>({});
export const birth = packed<Birth>({ connection: unsigned(4) });
export const gone = packed<Gone>({ connection: unsigned(4) });
