import { expect, test } from 'vitest';
import { readAddress } from '../../../../../backend/store/postgres/address.ts';
import { postgresLimits } from '../../../../../backend/store/postgres/limits.ts';
import { openSentence } from '../../../../../backend/store/postgres/open-trouble.ts';

test('what nobody knows is told in its own words, in one line with one full stop', () => {
  const read = readAddress('postgres://ann:secret@db/fleet', { hasAuthority: false });
  if ('refusal' in read) throw new Error(read.refusal);
  for (const words of ['Something is odd', 'Something is odd.', 'Something\n is odd..'])
    expect(openSentence(new Error(words), read.address, postgresLimits)).toBe(
      'postgres://db:5432/fleet cannot be opened: Something is odd.',
    );
});
