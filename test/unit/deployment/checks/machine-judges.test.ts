import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../deployment/checks/limits.ts';
import {
  judgeClock,
  judgeDiskSpeed,
  judgeNode,
  judgePort,
} from '../../../../deployment/checks/machine-judges.ts';

describe('Node', () => {
  const facts = { path: '/usr/bin/node', oldest: '22.18.0', tested: '24.21.0', isInstalled: false };
  test.each([
    ['22.17.9', 'failed'],
    ['9.30.0', 'failed'],
    ['22.18.0', 'ok'],
    ['22.18.0-nightly', 'ok'],
    ['24.99.0', 'ok'],
    ['25.0.0', 'warning'],
    ['what', 'failed'],
  ])('%s is %s', (version, verdict) => {
    expect(judgeNode({ ...facts, version }).verdict).toBe(verdict);
  });
});

describe('the clock', () => {
  const nowMs = Date.UTC(2026, 10, 23);
  test('fails outside of the years of certificates and tokens, whatever it says', () => {
    fc.assert(
      fc.property(fc.double(), (anyMs) => {
        const year = new Date(anyMs).getUTCFullYear();
        const isPlausible = year >= limits.firstYear && year <= limits.lastYear;
        const { verdict } = judgeClock({ nowMs: anyMs, wallMs: 500, monotonicMs: 500 });
        expect(verdict).toBe(isPlausible ? 'ok' : 'failed');
      }),
    );
    expect(judgeClock({ nowMs: 0, wallMs: 500, monotonicMs: 500 }).verdict).toBe('failed');
  });

  test.each([
    [500 + limits.clockDriftMs, 'ok'],
    [501 + limits.clockDriftMs, 'warning'],
    [499 - limits.clockDriftMs, 'warning'],
  ])('that went %d ms while 500 ms passed is %s', (wallMs, verdict) => {
    expect(judgeClock({ nowMs, wallMs, monotonicMs: 500 }).verdict).toBe(verdict);
  });
});

describe('the speed of the disk', () => {
  const judge = (commitsMs: readonly number[]) => judgeDiskSpeed({ path: '/data', commitsMs });

  test('is well up to its two bounds, and a warning past one of them', () => {
    const commits = (median: number, slowest: number) => [...Array(98).fill(median), slowest, slowest];
    expect(judge(commits(limits.commitMedianMs, limits.commitSlowestMs)).verdict).toBe('ok');
    expect(judge(commits(limits.commitMedianMs + 0.1, 30)).verdict).toBe('warning');
    expect(judge(commits(1, limits.commitSlowestMs + 1)).verdict).toBe('warning');
  });

  test('does not depend on the order of the commits', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 500, noNaN: true }), { minLength: 1 }), (commits) => {
        expect(judge([...commits].reverse())).toEqual(judge(commits));
      }),
    );
  });

  test('has failed where no commit ended in time', () => {
    expect(judge([]).verdict).toBe('failed');
  });
});

describe('a port', () => {
  const facts = { name: 'the API', option: '--port', port: 8080, isGiven: false, other: undefined };
  test('that is free is well', () => {
    expect(judgePort({ ...facts, state: 'free' }).verdict).toBe('ok');
  });
  test('that the user named and that is taken has failed, with its option', () => {
    expect(judgePort({ ...facts, isGiven: true, state: 'taken' })).toEqual({
      verdict: 'failed',
      text: '8080 (--port) is taken.',
      remedy: 'Free it, or give another one with --port.',
    });
  });
  test('that is usual and taken is a warning that names the next one', () => {
    expect(judgePort({ ...facts, state: 'taken', other: 8081 })).toMatchObject({
      verdict: 'warning',
      text: '8080 is taken: the API would listen on 8081.',
    });
  });
  test('without a free one behind it has failed', () => {
    expect(judgePort({ ...facts, state: 'forbidden' }).verdict).toBe('failed');
  });
});
