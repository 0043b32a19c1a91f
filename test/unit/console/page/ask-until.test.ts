import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { askUntil } from '../../../../console/page/state/ask-until.ts';

describe('a question of the page', () => {
  let answers: (() => Promise<Response>)[];
  let asked: number;
  let taken: unknown[];
  let told: string[];

  beforeEach(() => {
    vi.useFakeTimers();
    [answers, asked, taken, told] = [[], 0, [], []];
    vi.stubGlobal('fetch', () => {
      asked += 1;
      return (answers.shift() ?? (() => Promise.reject(new TypeError('refused'))))();
    });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  const begin = (isAskedAgain = true) =>
    askUntil({
      path: '/console/runs/1',
      afterMs: 300,
      take: (answer) => taken.push(answer),
      failed: ({ message }) => {
        told.push(message);
        return isAskedAgain;
      },
    });

  test('is asked again while the console is away, and once only after it is answered', async () => {
    answers = [
      () => Promise.reject(new TypeError('refused')),
      () => Promise.resolve(Response.json({ detail: 'It starts.' }, { status: 503 })),
      () => Promise.resolve(Response.json({ state: 'ended' })),
    ];
    begin();
    expect(asked).toBe(0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toEqual(['The console does not answer: has it ended?', 'It starts.']);
    expect(taken).toEqual([{ state: 'ended' }]);
    expect(asked).toBe(3);
  });

  test('is given up where that is said, and where nobody waits any more', async () => {
    begin(false);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(1);
    const late = Promise.withResolvers<Response>();
    answers = [() => late.promise];
    const end = begin();
    await vi.advanceTimersByTimeAsync(1_000);
    end();
    late.resolve(Response.json({}));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(taken).toEqual([]);
    expect(asked).toBe(2);
  });
});
