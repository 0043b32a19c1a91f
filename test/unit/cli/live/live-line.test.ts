import { describe, expect, test } from 'vitest';
import { liveLine } from '../../../../cli/live/live-line.ts';
import { liveModeOf } from '../../../../cli/live/live-output.ts';
import { pipeTeller, screenTeller } from '../../../../cli/live/live-tellers.ts';
import { figuresOfAll, type LiveFigures } from '../../../../deployment/shared/live-figures.ts';

const WIDE = 200;

describe('the live line', () => {
  test('has a bar, boxes a second and what is left while boxes come up, and the short form afterwards', () => {
    const service = { frames: 0, commits: 0, lagMs: 12, outbox: 0, memoryBytes: 512e6, busyShare: 0.4 };
    const teller = screenTeller(0);
    teller.line({ ...service, boxes: 2_000, boxesReady: 0 }, 0, WIDE);
    const later = { ...service, frames: 1_248, commits: 176 };
    expect(teller.line({ ...later, boxes: 2_000, boxesReady: 1_204 }, 4_000, WIDE)).toBe(
      'boxes 1,204/2,000 ready  ▕██████░░░░▏  301/s, 3 s left  frames 312/s  commits 44/s  lag 12 ms  outbox 0  memory 512 MB  busy 40 %',
    );
    expect(teller.line({ ...later, boxes: 2_000, boxesReady: 2_000 }, 5_000, WIDE)).toMatch(
      /^boxes 2,000\/2,000 ready {2}frames /,
    );
    // No bar again where boxes lose their connection later.
    expect(teller.line({ ...later, boxes: 2_000, boxesReady: 3 }, 6_000, WIDE)).toMatch(
      /^boxes 3\/2,000 ready {2}frames /,
    );
  });

  test('leaves out what a part does not know: a fleet has no outbox, a service has connected boxes', () => {
    const view = (figures: LiveFigures) =>
      liveLine(
        { now: { atMs: 1_000, figures }, earlier: [{ atMs: 0, figures: { payloads: 0 } }], isRampUp: false },
        WIDE,
      );
    expect(view({ boxes: 3, boxesReady: 2, payloads: 4 })).toBe('boxes 2/3 ready  payloads 4/s');
    expect(view({ boxesConnected: 1_204, outbox: 7 })).toBe('boxes 1,204 connected  outbox 7');
    expect(view({})).toBe('');
  });

  test('has rates of the last seconds, from the first look that knew the count', () => {
    const teller = screenTeller(0);
    teller.line({ memoryBytes: 0 }, 0, WIDE);
    teller.line({ frames: 100 }, 4_000, WIDE);
    expect(teller.line({ frames: 150 }, 5_000, WIDE)).toBe('frames 50/s');
    for (let atS = 6; atS < 20; atS += 1) teller.line({ frames: 150 }, atS * 1_000, WIDE);
    expect(teller.line({ frames: 151 }, 20_000, WIDE)).toBe('frames 0.2/s');
    // A count that began anew, with its process.
    expect(teller.line({ frames: 3 }, 20_500, WIDE)).toBe('frames 0/s');
  });

  test('on 80 columns drops what tells least', () => {
    const figures = {
      boxes: 2_000,
      boxesReady: 2_000,
      lagMs: 12,
      outbox: 0,
      memoryBytes: 512e6,
      busyShare: 1,
    };
    const now = { atMs: 1_000, figures: { ...figures, frames: 312, commits: 44 } };
    const earlier = [{ atMs: 0, figures: { frames: 0, commits: 0 } }];
    expect(liveLine({ now, earlier, isRampUp: false }, 80)).toBe(
      'boxes 2,000/2,000 ready  frames 312/s  lag 12 ms  outbox 0  memory 512 MB',
    );
  });

  test('says once the ramp-up is over how many of the others have no coverage', () => {
    const now = { atMs: 1_000, figures: { boxes: 1_003, boxesReady: 992, boxesUncovered: 10 } };
    expect(liveLine({ now, earlier: [], isRampUp: false }, 80)).toBe(
      'boxes 992/1,003 ready, 10 without coverage',
    );
    expect(liveLine({ now, earlier: [], isRampUp: true }, 80)).not.toContain('coverage');
  });

  test('adds up processes: counts and memory are sums, delays those of the worst', () => {
    const fleet = { boxes: 10, boxesReady: 4, payloads: 20, memoryBytes: 100, lagMs: 5, busyShare: 0.2 };
    const service = { boxesConnected: 4, frames: 30, memoryBytes: 50, lagMs: 90, busyShare: 0.1 };
    expect(figuresOfAll([fleet, service, {}])).toEqual({
      boxes: 10,
      boxesReady: 4,
      boxesConnected: 4,
      payloads: 20,
      frames: 30,
      memoryBytes: 150,
      lagMs: 90,
      busyShare: 0.2,
    });
  });
});

describe('the lines of a pipe', () => {
  /** What is told where so many boxes are ready at each second. */
  function toldOf(boxes: number, readyAtSecond: readonly number[], leastBoxes = 0): string[] {
    const teller = pipeTeller(0, leastBoxes);
    return readyAtSecond.flatMap((boxesReady, second) => {
      const line = teller.line({ boxes, boxesReady }, second * 1_000);
      return line === undefined ? [] : [line];
    });
  }
  const rising = Array.from({ length: 40 }, (_, second) => Math.min(2_000, second * 80));

  test('tell each 10 s how far the boxes are, and the end', () => {
    expect(toldOf(2_000, rising)).toEqual([
      'boxtwin: 800 of 2,000 boxes are ready after 10.0 s',
      'boxtwin: 1,600 of 2,000 boxes are ready after 20.0 s',
      'boxtwin: 2,000 of 2,000 boxes are ready after 25.0 s',
    ]);
  });

  test('are silent about a ramp-up that does not go on, and end it where the last boxes do not come', () => {
    const stuck = Array.from({ length: 60 }, (_, second) => Math.min(1_998, second * 999));
    expect(toldOf(2_000, stuck)).toEqual([
      'boxtwin: 1,998 of 2,000 boxes are ready after 2.0 s',
      'boxtwin: 1,998 of 2,000 boxes are ready after 2.0 s; no more have come for 30 s',
    ]);
    expect(
      toldOf(
        2_000,
        Array.from({ length: 100 }, () => 0),
      ),
    ).toEqual([]);
  });

  test('say of the boxes that do not come how many have no radio coverage', () => {
    const lastLine = (boxesUncovered: number) => {
      const teller = pipeTeller(0, 0);
      teller.line({ boxes: 1_003, boxesReady: 992 }, 1_000);
      return teller.line({ boxes: 1_003, boxesReady: 992, boxesUncovered }, 31_000);
    };
    const head = 'boxtwin: 992 of 1,003 boxes are ready after 1.0 s; no more have come for 30 s';
    expect(lastLine(10)).toBe(`${head} (11 others: 10 without radio coverage, 1 offline for another reason)`);
    expect(lastLine(11)).toBe(`${head} (11 others: 11 without radio coverage)`);
    expect(lastLine(0)).toBe(`${head} (11 others: 11 offline for another reason)`);
  });

  test('are none for a few boxes, unless they are asked for', () => {
    expect(toldOf(1, [0, 1])).toEqual(['boxtwin: 1 of 1 box is ready after 1.0 s']);
    const one = Array.from({ length: 12 }, (_, second) => (second < 3 ? 0 : 1));
    expect(toldOf(113, one)).toEqual(['boxtwin: 1 of 113 boxes is ready after 3.0 s']);
    expect(toldOf(99, [0, 99], 100)).toEqual([]);
    expect(toldOf(100, [0, 100], 100)).toHaveLength(1);
    expect(toldOf(0, [0, 0])).toEqual([]);
  });
});

describe('where figures go', () => {
  const usual = { wish: 'auto', isJson: false, isChild: false, isScreen: true, isPlain: false } as const;

  test.each([
    [{}, 'screen'],
    [{ isScreen: false }, 'lines'],
    [{ isPlain: true }, 'lines'],
    [{ isJson: true }, 'none'],
    [{ isChild: true }, 'none'],
    [{ wish: 'off' }, 'none'],
    [{ wish: 'off', isChild: true }, 'none'],
    [{ wish: 'on', isPlain: true, isJson: true }, 'screen'],
    [{ wish: 'on', isScreen: false, isJson: true }, 'lines'],
    [{ wish: 'on', isChild: true }, 'parent'],
  ] as const)('%j: %s', (change, mode) => {
    expect(liveModeOf({ ...usual, ...change })).toBe(mode);
  });
});
