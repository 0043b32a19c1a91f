import { describe, expect, test } from 'vitest';
import { LARGE, wrongIn } from './story.ts';

describe('a story of a large fleet', () => {
  test.each(Object.entries(LARGE))(
    '%s ends well, with %i vehicles',
    async (name, count) => {
      expect(await wrongIn(name, { count })).toBe('');
    },
    180_000,
  );
});
