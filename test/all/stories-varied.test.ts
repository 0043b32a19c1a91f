import { describe, expect, test } from 'vitest';
import {
  FIXED_STORIES,
  failuresOfVariant,
  STORIES,
  variantsOfStory,
} from '../support/simulation/play-story.ts';

// What a story expects is a claim about every value that its `vary` allows: `explore` and planted bugs rely on it.
describe('a story with the ends of what it varies', () => {
  const variants = STORIES.filter((name) => !FIXED_STORIES.includes(name)).flatMap((name) =>
    Array.from({ length: variantsOfStory(name) }, (_, variant): [string, number] => [name, variant]),
  );
  test.each(variants)('%s passes, variant %i', async (name, variant) => {
    expect(await failuresOfVariant(name, variant)).toBe('');
  });
});
