import { describe, expect, test } from 'vitest';
import { runToEnd } from '../sockets/up-process.ts';
import { fileOf, LARGE } from './story.ts';

describe('a story of a large fleet', () => {
  test.concurrent.each(LARGE)(
    '%s ends well, with all of its vehicles, run as a command',
    async (name) => {
      const { code, output, errors } = await runToEnd(['scenario', 'run', fileOf(name)]);
      expect([code, code === 0 ? '' : output + errors]).toEqual([0, '']);
      expect(output).toContain('1 scenario: 1 passed');
    },
    320_000,
  );
});
