import { describe, expect, test } from 'vitest';
import { LARGE, STORIES, wrongIn } from './story.ts';

describe('a story', () => {
  test('there are at least twenty of them, and the large ones are among them', () => {
    expect(STORIES.length).toBeGreaterThanOrEqual(20);
    expect(STORIES).toEqual(expect.arrayContaining([...LARGE]));
  });

  test.each(STORIES.filter((name) => !LARGE.includes(name)))('%s ends well', async (name) => {
    expect(await wrongIn(name)).toBe('');
  });
});
