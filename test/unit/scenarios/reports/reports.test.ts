import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { notSeen } from '../../../../judge/verdict.ts';
import { htmlPage } from '../../../../scenarios/reports/html/page.ts';
import { STYLE, STYLE_HASH } from '../../../../scenarios/reports/html/style.ts';
import { jsonReport, jsonReportSchema } from '../../../../scenarios/reports/json.ts';
import { junitXml } from '../../../../scenarios/reports/junit.ts';
import { scenarioText, summaryText } from '../../../../scenarios/reports/text.ts';
import { durationText, runTimeText } from '../../../../scenarios/run/time-text.ts';
import { anyPlayedScenario, SCENARIO, START_MS } from '../../../support/scenarios/any-outcome.ts';
import { FAILED_OUTCOME, FAILED_RUN } from '../../../support/scenarios/failed-outcome.ts';

const RUNS = { numRuns: 40 };

interface Suite {
  readonly '@time': string;
  readonly testcase: readonly { readonly '@name': string; readonly '@time': string }[];
}

function suitesOf(xml: string): readonly Suite[] {
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseAttributeValue: false,
    isArray: (name) => name === 'testsuite' || name === 'testcase',
  });
  const { testsuites } = parser.parse(xml) as {
    readonly testsuites: { readonly testsuite?: readonly Suite[] };
  };
  return testsuites.testsuite ?? [];
}

describe('any outcome', () => {
  test('is JUnit XML with a testcase for the run, each expectation and each checker', () => {
    fc.assert(
      fc.property(fc.array(anyPlayedScenario, { maxLength: 2 }), (all) => {
        const xml = junitXml(all);
        expect(XMLValidator.validate(xml)).toBe(true);
        const suites = suitesOf(xml);
        expect(suites).toHaveLength(all.length);
        for (const [index, { outcome }] of all.entries()) {
          const cases = suites[index]?.testcase ?? [];
          const names = cases.map((one) => one['@name']);
          expect(names[0]).toBe('run');
          for (const { checker } of outcome.checkers) expect(names).toContain(checker);
          expect(cases.reduce((sum, one) => sum + Number(one['@time']), 0)).toBe(
            Number(suites[index]?.['@time']),
          );
        }
      }),
      RUNS,
    );
  });

  test('is a well-formed page without scripts and external requests', () => {
    fc.assert(
      fc.property(fc.array(anyPlayedScenario, { maxLength: 2 }), fc.nat(2), (all, notRun) => {
        const page = htmlPage(all, notRun);
        const asXml = page.replace('<!doctype html>', '').replaceAll(/<meta [^>]*>/g, '');
        expect(XMLValidator.validate(asXml, { allowBooleanAttributes: true })).toBe(true);
        expect(page).not.toMatch(/<script|<[^>]* (?:on\w+|style|src)=|href="(?!#)/i);
      }),
      RUNS,
    );
  });

  test('is JSON of the documented shape', () => {
    fc.assert(
      fc.property(fc.array(anyPlayedScenario, { maxLength: 2 }), fc.nat(2), (all, notRun) => {
        const report: unknown = JSON.parse(JSON.stringify(jsonReport(all, notRun)));
        expect(jsonReportSchema.safeParse(report).error).toBeUndefined();
      }),
      RUNS,
    );
  });

  test('is JSON whose parts are all in the manual', () => {
    const page = readFileSync(new URL('../../../../docs/running-scenarios.md', import.meta.url), 'utf8');
    const { shape } = jsonReportSchema;
    const one = shape.scenarios.element.shape;
    const parts = [one.expectations, one.checkers, one.timelines, one.vehicles].flatMap(({ element }) =>
      Object.keys(element.shape),
    );
    for (const name of [...Object.keys(shape), ...Object.keys(one), ...parts])
      expect(page).toContain(`\`${name}\``);
  });

  test('is text whose first line contains the verdict', () => {
    fc.assert(
      fc.property(anyPlayedScenario, (one) => {
        const [first] = scenarioText(one);
        expect(first?.text).toContain(`tunnel ${one.outcome.verdict}`);
        expect(first?.tone).toBe(one.outcome.verdict === 'passed' ? 'good' : 'bad');
      }),
      RUNS,
    );
  });
});

describe('a failing run', () => {
  test('is reported by expectation and checker, with the events around it and how to repeat it', () => {
    const text = scenarioText(FAILED_RUN)
      .map((ports) => ports.text)
      .join('\n');
    expect(text).toContain('✗ tunnel failed: 5m in the virtual world in 812ms, seed 7  (tunnel.yaml)');
    expect(text).toContain(
      '✗ step 3 (line 9) expect 1: 1 of 2 vehicles\n      0:03:00.000 vehicle 2: status is 200, expected 504',
    );
    expect(text).toContain('✓ nothing-lost: 812 records');
    expect(text).toContain(
      '✗ order-per-box: 1 finding; 800 messages\n      vehicle 2: record 7 came after record 9',
    );
    expect(text).toContain('0:02:30.800 answer to call 1, vehicle 2: 200 after 800ms');
    expect(text).not.toContain('vehicle 1 holds 4');
    expect(text).toContain('repeat: npx boxtwin scenario run tunnel.yaml --seed 7\n  trace hash: ab12');
    expect(summaryText([FAILED_RUN], 1)[0]?.text).toBe(
      '1 scenario: 0 passed, 1 failed, 1 not run; 5m in 812ms',
    );
  });

  test('says of a checker that compared nothing that it did, and counts it as skipped', () => {
    const checkers = [{ checker: 'bulk-in-time' as const, ...notSeen('Nothing was compared: 0 jobs.') }];
    const one = { ...FAILED_RUN, outcome: { ...FAILED_OUTCOME, checkers } };
    const text = scenarioText(one).map((line) => line.text);
    expect(text).toContain('  - bulk-in-time: Nothing was compared: 0 jobs.');
    expect(htmlPage([one], 0)).toContain('- </span><code>bulk-in-time</code> Nothing was compared: 0 jobs.');
    const junit = junitXml([one]);
    expect(junit).toContain('skipped="1"');
    expect(junit).toContain('<skipped message="Nothing was compared: 0 jobs."');
  });

  test('includes an earlier action that could not be carried out: no other line explains it', () => {
    const refusal = 'The immobilizer is on.';
    const drive = { kind: 'act' as const, name: 'drive', refusal, atMs: START_MS };
    const facts = [{ ...drive, vehicle: 1 }, { ...drive, vehicle: 2 }, ...FAILED_OUTCOME.facts];
    const text = scenarioText({ ...FAILED_RUN, outcome: { ...FAILED_OUTCOME, facts } })
      .map((ports) => ports.text)
      .join('\n');
    expect(text).toContain(
      'around step 3 (line 9) expect 1, vehicle 2:\n      0:00:00.000 vehicle 2 of cars is a petrol-compact, box 02\n      0:00:00.000 vehicle 2: drive, refused: The immobilizer is on.',
    );
    expect(text).not.toContain('vehicle 1: drive');
  });

  test('tells once what happened around failures of one vehicle at one moment', () => {
    const [first, second] = FAILED_OUTCOME.checkers;
    if (first === undefined || second === undefined) throw new Error('The outcome has two checkers.');
    const finding = {
      checker: first.checker,
      vehicle: 2,
      atMs: START_MS + 180_000,
      text: 'record 8 is lost',
    };
    const outcome = { ...FAILED_OUTCOME, checkers: [{ ...first, findings: [finding] }, second] };
    const text = scenarioText({ ...FAILED_RUN, outcome })
      .map((line) => line.text)
      .join('\n');
    expect(text).toContain('around step 3 (line 9) expect 1 and nothing-lost, vehicle 2:\n');
    expect(text.match(/ around /g)).toHaveLength(2);
  });

  test('is counted in JUnit as CI servers count', () => {
    const parsed: unknown = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '' }).parse(
      junitXml([FAILED_RUN]),
    );
    expect(parsed).toMatchObject({
      testsuites: { tests: '4', failures: '2', errors: '0', testsuite: { name: 'tunnel', time: '0.812' } },
    });
  });

  test('keeps the name of a case in JUnit when a line is inserted above, and gives the line beside it', () => {
    const [before, after] = [[7, 8, 9, 12] as const, [8, 9, 10, 13] as const].map((stepLines) =>
      junitXml([{ ...FAILED_RUN, outcome: { ...FAILED_OUTCOME, scenario: { ...SCENARIO, stepLines } } }]),
    );
    expect(before).toContain('name="step 3 expect 1" file="tunnel.yaml" line="9"');
    expect(before).toContain('>step 3 (line 9) expect 1:\n0:03:00.000 vehicle 2: status is 200');
    expect(after).toContain('name="step 3 expect 1" file="tunnel.yaml" line="10"');
  });

  test('has the number of each step from 1, its line and its path in JSON', () => {
    const [json] = jsonReport([FAILED_RUN], 0).scenarios;
    expect(json?.expectations[0]).toMatchObject({ path: 'steps[2].expect[0]', step_number: 3, line: 9 });
    expect(json?.timelines[0]?.of).toBe('steps[2].expect[0]');
  });

  test('draws the failing box before the others, and says how many are left out', () => {
    const vehicles = Array.from({ length: 300 }, (_, index) => ({
      number: index + 1,
      vehicleId: `V${index}`,
      group: 'cars',
      model: 'petrol-compact',
    }));
    const page = htmlPage([{ ...FAILED_RUN, outcome: { ...FAILED_OUTCOME, vehicles } }], 0);
    expect(page.indexOf('Vehicle 2<')).toBeLessThan(page.indexOf('Vehicle 1<'));
    expect(page).toContain('287 further vehicles not drawn, none of them with a failure.');
  });
});

test('a page allows only its own style', () => {
  const hash = createHash('sha256').update(STYLE).digest('base64');
  expect(STYLE_HASH).toBe(`sha256-${hash}`);
});

test('times are formatted as a clock, durations for people', () => {
  expect([0, 150_250, 90_061_001, -1_500].map(runTimeText)).toEqual([
    '0:00:00.000',
    '0:02:30.250',
    '1d 1:01:01.001',
    '-0:00:01.500',
  ]);
  expect([0, 812, 1_066, 150_250, 43_200_000].map(durationText)).toEqual([
    '0s',
    '812ms',
    '1.07s',
    '2m30s',
    '12h',
  ]);
});
