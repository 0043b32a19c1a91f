import { describe, expect, test } from 'vitest';
import {
  FIXED_STORIES,
  failuresOfStory,
  failuresOfVariant,
  LARGE_STORIES,
  STORIES,
  variantsOfStory,
} from '../support/simulation/play-story.ts';

describe('a story', () => {
  test('at least twenty stories exist, including the large ones', () => {
    expect(STORIES.length).toBeGreaterThanOrEqual(20);
    expect(STORIES).toEqual(expect.arrayContaining([...LARGE_STORIES]));
  });

  test('each says what may be varied, but those that take long', () => {
    expect(STORIES.filter((name) => variantsOfStory(name) === 0)).toEqual([...FIXED_STORIES].sort());
  });

  test.each([0, 1])('the tunnel passes with each end of its length, variant %i', async (variant) => {
    expect(await failuresOfVariant('tunnel', variant)).toBe('');
  });

  test.each(STORIES.filter((name) => !LARGE_STORIES.includes(name)))('%s passes', async (name) => {
    expect(await failuresOfStory(name)).toBe('');
  });
});
