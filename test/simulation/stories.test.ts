import { describe, expect, test } from 'vitest';
import { failuresOfStory, LARGE_STORIES, STORIES } from '../support/simulation/play-story.ts';

describe('a story', () => {
  test('at least twenty stories exist, including the large ones', () => {
    expect(STORIES.length).toBeGreaterThanOrEqual(20);
    expect(STORIES).toEqual(expect.arrayContaining([...LARGE_STORIES]));
  });

  test.each(STORIES.filter((name) => !LARGE_STORIES.includes(name)))('%s passes', async (name) => {
    expect(await failuresOfStory(name)).toBe('');
  });
});
