import { afterEach, describe, expect, it } from 'vitest';
import { startThread, ThreadEnded } from '../../../../world/threads/real-thread.ts';
import { ThreadPool } from '../../../../world/threads/real-thread-pool.ts';

let started = 0;
const pools: ThreadPool<string, string>[] = [];

function poolOf(size: number, program = '../../../support/world/pooled-program'): ThreadPool<string, string> {
  started = 0;
  const pool = new ThreadPool<string, string>(size, (end) => {
    started += 1;
    return startThread(program, import.meta.url, undefined, end);
  });
  pools.push(pool);
  return pool;
}

afterEach(() => {
  for (const pool of pools.splice(0)) pool.endAll();
});

describe('a pool of threads', () => {
  it('answers each request with its own answer, and starts no more threads than its size', async () => {
    const pool = poolOf(2);
    const progress: unknown[] = [];
    const requests = ['a', 'b', 'c', 'd', 'e'];
    const answers = await Promise.all(requests.map((text) => pool.ask(text, (far) => progress.push(far))));
    expect(answers).toEqual(requests.map((text) => `echo ${text}`));
    expect(new Set(progress)).toEqual(new Set(requests.map((text) => `half of ${text}`)));
    expect(started).toBe(2);
  });

  it('passes on what the program throws, and goes on with the same thread', async () => {
    const pool = poolOf(1);
    await expect(pool.ask('throw')).rejects.toThrow('it cannot');
    expect(await pool.ask('a')).toBe('echo a');
    expect(started).toBe(1);
  });

  it('says why a thread has ended, and carries the next request out on another one', async () => {
    const pool = poolOf(1);
    const [left, failed, answered] = await Promise.allSettled(
      ['exit', 'uncaught', 'a'].map((text) => pool.ask(text)),
    );
    expect(left).toMatchObject({ reason: new ThreadEnded('The thread has ended with the exit code 7.') });
    expect(failed).toMatchObject({ reason: new ThreadEnded('The thread failed: out of room.') });
    expect(answered).toMatchObject({ value: 'echo a' });
    expect(started).toBe(3);
  });

  it('says why a thread could not be started', async () => {
    const pool = poolOf(1, '../../../support/world/no-such-program');
    await expect(pool.ask('a')).rejects.toThrow(/^The thread failed: Cannot find module .*no-such-program/);
  });

  it('ends at once what is under way or waits, and takes further requests', async () => {
    const pool = poolOf(1);
    await pool.ask('a');
    const asked = ['hang', 'b'].map((text) => pool.ask(text));
    pool.endAll();
    const ends = await Promise.allSettled(asked);
    expect(ends.map((end) => end.status === 'rejected' && end.reason instanceof ThreadEnded)).toEqual([
      true,
      true,
    ]);
    expect(await pool.ask('c')).toBe('echo c');
  });

  it('drops what waits, and nothing else', async () => {
    const pool = poolOf(1);
    const asked = ['a', 'b'].map((text) => pool.ask(text));
    pool.dropWaiting();
    const [first, second] = await Promise.allSettled(asked);
    expect(first).toMatchObject({ value: 'echo a' });
    expect(second).toMatchObject({ reason: new ThreadEnded('The request was dropped before it began.') });
  });
});
