import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { liveLine } from '../../cli/live/live-line.ts';
import { pipeTeller, screenTeller } from '../../cli/live/live-tellers.ts';
import { rampUpAfter, rampUpAt } from '../../cli/live/ramp-up.ts';
import { figuresOfAll, type LiveFigures } from '../../deployment/shared/live-figures.ts';

/** Also such as no part should tell: below 0, NaN, infinite, fractions. */
const anyNumber = fc.oneof(
  fc.nat({ max: 100_000 }),
  fc.double(),
  fc.constantFrom(0, -0, -1, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_VALUE, Number.MIN_VALUE),
);

const figuresOf = (number: fc.Arbitrary<number>): fc.Arbitrary<LiveFigures> =>
  fc.record(
    {
      boxes: number,
      boxesReady: number,
      boxesUncovered: number,
      boxesConnected: number,
      frames: number,
      payloads: number,
      commits: number,
      outbox: number,
      lagMs: number,
      memoryBytes: number,
      busyShare: number,
    },
    { requiredKeys: [] },
  );

const sampleOf = (number: fc.Arbitrary<number>) => fc.record({ atMs: number, figures: figuresOf(number) });

const viewOf = (number: fc.Arbitrary<number>) =>
  fc.record({
    now: sampleOf(number),
    earlier: fc.array(sampleOf(number), { maxLength: 4 }),
    isRampUp: fc.boolean(),
  });

const NO_NUMBER = /NaN|Infinity|undefined|null|-\d|any number/;

describe('the live line', () => {
  test('is one line of at most the columns of the terminal, whatever the figures, without anything that is no number', () => {
    fc.assert(
      fc.property(
        viewOf(anyNumber),
        fc.oneof(fc.integer({ min: -5, max: 300 }), anyNumber),
        (view, columns) => {
          const line = liveLine(view, columns);
          expect(line.length).toBeLessThanOrEqual(Number.isFinite(columns) ? Math.max(0, columns) : 0);
          expect(line).toMatch(/^[^\n\r]*$/);
          expect(line).not.toMatch(NO_NUMBER);
        },
      ),
      { numRuns: 1_000 },
    );
  });

  test('shows less on a narrower terminal, and never something else', () => {
    const widths = fc.tuple(fc.nat({ max: 200 }), fc.nat({ max: 200 }));
    fc.assert(
      fc.property(viewOf(fc.nat({ max: 1_000_000 })), widths, (view, [one, other]) => {
        const wide = liveLine(view, Math.max(one, other)).split('  ');
        const narrow = liveLine(view, Math.min(one, other)).split('  ');
        for (const part of narrow.slice(1)) expect(wide).toContain(part);
        // The last that is left may be cut.
        expect(wide.some((part) => part.startsWith(narrow[0] ?? ''))).toBe(true);
      }),
    );
  });

  test('has the same for the figures of one part, and of that part in pieces', () => {
    const pieces = fc.array(figuresOf(fc.nat({ max: 1_000 })), { maxLength: 6 });
    fc.assert(
      fc.property(pieces, fc.nat({ max: 6 }), (parts, at) => {
        const halves = [figuresOfAll(parts.slice(0, at)), figuresOfAll(parts.slice(at))];
        expect(figuresOfAll(halves)).toEqual(figuresOfAll(parts));
      }),
    );
  });
});

describe('what is told over a while', () => {
  const looks = fc.array(fc.record({ afterMs: fc.nat({ max: 40_000 }), figures: figuresOf(anyNumber) }), {
    maxLength: 60,
  });

  test('is told for any figures, and on a terminal never wider than it', () => {
    fc.assert(
      fc.property(looks, fc.integer({ min: 0, max: 150 }), (seen, columns) => {
        const screen = screenTeller(0);
        let nowMs = 0;
        for (const { afterMs, figures } of seen) {
          nowMs += afterMs;
          const line = screen.line(figures, nowMs, columns);
          expect(line.length).toBeLessThanOrEqual(columns);
          expect(line).not.toMatch(NO_NUMBER);
        }
      }),
    );
  });

  test('is in a pipe at most a line each 10 s, then one at the end, then nothing', () => {
    fc.assert(
      fc.property(looks, fc.nat({ max: 200 }), (seen, leastBoxes) => {
        const pipe = pipeTeller(0, leastBoxes);
        const told: number[] = [];
        let nowMs = 0;
        for (const { afterMs, figures } of seen) {
          nowMs += afterMs;
          const wasDone = pipe.isDone();
          const line = pipe.line(figures, nowMs);
          if (line === undefined) continue;
          expect(wasDone).toBe(false);
          expect(line).toMatch(
            /^boxtwin: [\d,]+ of [\d,]+ box(es are| is) ready after \d+\.\d s(; no more have come for 30 s( \([\d,]+ others?: [\d,]+ (without radio coverage|offline for another reason)(, [\d,]+ offline for another reason)?\))?)?$/,
          );
          if (!pipe.isDone()) expect(nowMs - (told.at(-1) ?? 0)).toBeGreaterThanOrEqual(10_000);
          told.push(nowMs);
        }
      }),
    );
  });

  test('a ramp-up rises only, and once it is over stays so', () => {
    fc.assert(
      fc.property(looks, (seen) => {
        let ramp = rampUpAt(0);
        let nowMs = 0;
        for (const { afterMs, figures } of seen) {
          nowMs += afterMs;
          const next = rampUpAfter(ramp, figures, nowMs);
          expect(next.ready).toBeGreaterThanOrEqual(ramp.ready);
          if (ramp.isOver) expect(next).toBe(ramp);
          ramp = next;
        }
      }),
    );
  });
});
