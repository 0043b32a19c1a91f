import { describe, expect, test } from 'vitest';
import { LARGE_STORIES, storyFileOf } from '../support/simulation/play-story.ts';
import { runCommand } from '../support/sockets/up-process.ts';

describe('a story of a large fleet', () => {
  test.concurrent.each(LARGE_STORIES)(
    '%s passes with all of its vehicles, run as a command',
    async (name) => {
      const { code, output, errors } = await runCommand(['scenario', 'run', storyFileOf(name)]);
      expect([code, code === 0 ? '' : output + errors]).toEqual([0, '']);
      expect(output).toContain('1 scenario: 1 passed');
    },
    600_000,
  );
});
