import { COMMANDS } from '../../commands.ts';
import { limits } from '../../limits.ts';
import type { CommandRequest, ConfigurationRequest, Receipt, Resend, Unreadable } from '../../message.ts';
import { list, namesOf, packed, range, risingList, setting, ulid, unsigned } from '../fields.ts';

/** Messages from the backend to a box of generation 1. */
const sequence = unsigned(4, { minimum: 1, maximum: limits.highestSequence });

export const receipt = packed<Receipt>({
  contiguous: unsigned(4, { maximum: limits.highestSequence }),
  ranges: risingList('slots', limits.receiptRanges, range(sequence), 'range', sequence),
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
  settings: list('counted', limits.settings, setting()),
});

export const unreadable = packed<Unreadable>({
  sequences: list('counted', limits.unreadableSequences, sequence),
});

export const resend = packed<Resend>({});
