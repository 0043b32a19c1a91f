import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../qa/soak/limits.ts';
import { plotSvg } from '../../../../qa/soak/plot.ts';
import { memoryAt, type SoakFacts, soakReport } from '../../../../qa/soak/report.ts';

const MIB = 2 ** 20;

/** Of a soak of 20 minutes in which nothing was wrong. */
function facts(change: Partial<SoakFacts> = {}): SoakFacts {
  const seconds = Array.from({ length: 1_200 }, (_, second) => second * 1_000);
  return {
    date: '2026-01-31',
    machine: '2 cores',
    loadAverages: [1, 2],
    minutes: 20,
    vehicles: 100,
    seed: 1,
    memory: new Map(
      ['up', 'backend'].map((name) => [name, seconds.map((atMs) => ({ atMs, bytes: 80 * MIB }))]),
    ),
    restarted: [],
    service: [{ atMs: 0, connected: 98, outbox: 4, lagS: 0.2 }],
    connectedBefore: 99,
    healedAfterS: 30,
    ledger: { right: true, records: 9, delivered: 9, counts: { lost: 0 }, cases: [] },
    outcomes: new Map([['command: 200', 5]]),
    messages: 9,
    ...change,
  };
}

const verdict = (change: Partial<SoakFacts>) => soakReport(facts(change), limits, 'result.svg').isPassed;

describe('the report of a soak', () => {
  test('passes where memory is flat, nothing died, all healed and the ledger is clean', () => {
    const { isPassed, markdown, svg } = soakReport(facts(), limits, 'result.svg');
    expect(isPassed).toBe(true);
    expect(markdown).toContain('**passed**');
    expect(markdown).toContain('| backend | 80 | 80 | 80 | 80 | 0.00 |');
    expect(markdown).toContain('![Memory, boxes and outbox over time](result.svg)');
    expect(XMLValidator.validate(svg)).toBe(true);
  });

  test.each<[string, Partial<SoakFacts>]>([
    [
      'memory grows',
      {
        memory: new Map([
          [
            'fleet',
            Array.from({ length: 1_200 }, (_, second) => ({ atMs: second * 1_000, bytes: second * MIB })),
          ],
        ]),
      },
    ],
    ['memory was not measured', { memory: new Map() }],
    ['a part died', { restarted: ['backend after 9 s'] }],
    ['boxes did not heal', { healedAfterS: undefined }],
    ['the ledger is not clean', { ledger: { ...facts().ledger, right: false } }],
  ])('fails where %s', (_, change) => {
    expect(verdict(change)).toBe(false);
  });

  test('has the median of the minute before a moment, and none without samples', () => {
    const samples = Array.from({ length: 121 }, (_, second) => ({ atMs: second * 1_000, bytes: second }));
    expect(memoryAt(samples, 1)).toBe(90.5);
    expect(memoryAt([], 1)).toBeNaN();
  });
});

describe('the plot', () => {
  test('is well-formed, with a line for each series, and names that are no markup', () => {
    const svg = plotSvg([
      {
        title: 'A < B & C',
        series: [
          {
            name: '<x>',
            points: [
              { x: 0, y: 0 },
              { x: 4, y: 7 },
            ],
          },
        ],
      },
      { title: 'nothing', series: [] },
    ]);
    expect(XMLValidator.validate(svg)).toBe(true);
    expect(svg.match(/<polyline/g)).toHaveLength(1);
    expect(svg).toContain('&lt;x&gt;');
  });

  test('leaves out what is no number, and draws nothing of nothing', () => {
    const svg = plotSvg([{ title: 't', series: [{ name: 'n', points: [{ x: 1, y: Number.NaN }] }] }]);
    expect(svg).not.toContain('NaN');
    expect(XMLValidator.validate(plotSvg([]))).toBe(true);
  });
});
