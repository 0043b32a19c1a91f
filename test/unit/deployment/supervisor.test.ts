import { describe, expect, test } from 'vitest';
import type { ChildPart } from '../../../deployment/child-part.ts';
import { makeSupervisor } from '../../../deployment/supervisor.ts';
import { VirtualLoop } from '../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../world/loop/virtual-process-scope.ts';
import { virtualTime } from '../../../world/time/virtual-time.ts';

/** A part whose processes live as long as `livesMs` says, one after the other; then for ever. */
function setup(livesMs: readonly (number | 'no start')[]) {
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('supervisor'));
  const beganMs = loop.nowMs;
  const startsMs: number[] = [];
  const ends: string[] = [];
  const said: string[] = [];
  const supervisor = makeSupervisor(time, (text) => said.push(text));
  const part = {
    name: 'backend',
    start: async (): Promise<ChildPart> => {
      const life = livesMs[startsMs.length];
      startsMs.push(loop.nowMs - beganMs);
      if (life === 'no start') throw new Error('port 8080 is taken');
      const dead = Promise.withResolvers<string>();
      if (life !== undefined) time.alarm(time.nowMs() + life, () => dead.resolve('SIGKILL'));
      return {
        facts: { start: startsMs.length },
        figures: () => ({}),
        ended: dead.promise,
        end: async () => {
          ends.push('backend');
          dead.resolve('SIGTERM');
        },
      };
    },
  };
  return { loop, beganMs, startsMs, ends, said, supervisor, part };
}

describe('a supervised part', () => {
  test('that dies is started again at once, and after that ever later', async () => {
    const { loop, beganMs, startsMs, said, supervisor, part } = setup([1_000, 1_000, 1_000]);
    const facts = supervisor.add(part);
    await loop.runUntil(beganMs + 60_000);
    expect(await facts).toEqual({ start: 1 });
    expect(startsMs).toEqual([0, 1_000, 2_500, 4_500]);
    expect(said[0]).toBe('backend ended (SIGKILL); it is started again.');
    expect(said[1]).toBe('backend is up again.');
    expect(said[2]).toBe('backend ended (SIGKILL); it is started again in 0.5 s.');
  });

  test('that has run for long begins a new row', async () => {
    const { loop, beganMs, startsMs, supervisor, part } = setup([1_000, 1_000, 100_000]);
    void supervisor.add(part);
    await loop.runUntil(beganMs + 200_000);
    expect(startsMs).toEqual([0, 1_000, 2_500, 102_500]);
  });

  test('that dies again and again is given up, with its last words', async () => {
    const { loop, beganMs, startsMs, supervisor, part } = setup([
      1_000,
      ...Array.from({ length: 10 }, () => 'no start' as const),
    ]);
    void supervisor.add(part);
    const failed = supervisor.failed.catch((error: unknown) => String(error));
    await loop.runUntil(beganMs + 200_000);
    expect(await failed).toBe(
      'Error: backend ended 6 times in a row, the last time with Error: port 8080 is taken.',
    );
    expect(startsMs.length).toBe(6);
  });

  test('that cannot be started at first is a rejection, and is not tried again', async () => {
    const { loop, beganMs, startsMs, supervisor, part } = setup(['no start']);
    const told = supervisor.add(part).catch((error: unknown) => String(error));
    await loop.runUntil(beganMs + 60_000);
    expect(await told).toBe('Error: port 8080 is taken');
    expect(startsMs).toEqual([0]);
  });

  test('is ended with the supervisor, and not started again', async () => {
    const { loop, beganMs, startsMs, ends, supervisor, part } = setup([]);
    void supervisor.add(part);
    await loop.runUntil(beganMs + 1_000);
    void supervisor.close();
    await loop.runUntil(beganMs + 60_000);
    expect(ends).toEqual(['backend']);
    expect(startsMs).toEqual([0]);
  });
});
