import { describe, expect, test } from 'vitest';
import { LARGE, STORIES, wrongIn } from './story.ts';

// What a story says holds for any fleet of its kind, and not for the one that its own seed draws.
describe('a story with another seed', () => {
  test.each(STORIES.filter((name) => !LARGE.includes(name)))('%s ends well', async (name) => {
    expect(await wrongIn(name, 205)).toBe('');
  });
});
