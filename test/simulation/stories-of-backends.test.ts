import { describe, expect, test } from 'vitest';
import { failuresOfStory } from '../support/simulation/play-story.ts';

const SEEDS = [1, 2, 3, 4];

describe.each(['backend-dies', 'backend-paused', 'rolling-deploy', 'wake-ups-lost'])('%s', (name) => {
  test.each(SEEDS)('passes with the seed %i', async (seed) => {
    expect(await failuresOfStory(name, seed)).toBe('');
  });
});
