import { describe, expect, test } from 'vitest';
import { failuresOfStory, LARGE_STORIES, STORIES } from '../support/simulation/play-story.ts';

// A story must hold for any fleet of its kind, not only for the one drawn from its own seed.
describe('a story with another seed', () => {
  test.each(STORIES.filter((name) => !LARGE_STORIES.includes(name)))('%s passes', async (name) => {
    expect(await failuresOfStory(name, 205)).toBe('');
  });
});
