import { COMMANDS } from '../../commands.ts';
import { limits } from '../../limits.ts';
import type { CommandRequest, ConfigurationRequest, Receipt, Resend, Unreadable } from '../../message.ts';
import { list, namesOf, range, risingList, setting, tag, tagged, ulid, unsigned } from '../fields.ts';

/** Messages from the backend to a box of generation 2. */
const sequence = unsigned(4, { minimum: 1, maximum: limits.highestSequence });

export const receipt = tagged<Receipt>({
  contiguous: tag(0x01, unsigned(4, { maximum: limits.highestSequence })),
  ranges: tag(0x02, risingList('rest', limits.receiptRanges, range(sequence), 'range', sequence)),
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
  settings: tag(0x04, list('rest', limits.settings, setting())),
});

export const unreadable = tagged<Unreadable>({
  sequences: tag(0x01, list('rest', limits.unreadableSequences, sequence)),
});

export const resend = tagged<Resend>({});
