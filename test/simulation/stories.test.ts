import { describe, expect, test } from 'vitest';
import { LARGE, STORIES, wrongIn } from './story.ts';

describe('a story', () => {
  test('there are at least twenty of them, and the large ones are among them', () => {
    expect(STORIES.length).toBeGreaterThanOrEqual(20);
    expect(STORIES).toEqual(expect.arrayContaining(Object.keys(LARGE)));
  });

  test.each(STORIES.filter((name) => !(name in LARGE)))('%s ends well', async (name) => {
    expect(await wrongIn(name)).toBe('');
  });

  // What it says holds for any fleet of its kind, and not for the one that its own seed draws.
  test.each(STORIES.filter((name) => !(name in LARGE)))('%s ends well with another seed', async (name) => {
    expect(await wrongIn(name, { seed: 205 })).toBe('');
  });
});
