import { describe, expect, test } from 'vitest';
import { LARGE, wrongIn } from './story.ts';

describe('a story of a large fleet', () => {
  test.each(LARGE)(
    '%s ends well',
    async (name) => {
      expect(await wrongIn(name)).toBe('');
    },
    300_000,
  );
});
