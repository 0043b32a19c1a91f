import { XMLParser } from 'fast-xml-parser';
import { describe, expect, test } from 'vitest';
import { readScenario } from '../../scenarios/language/document/read.ts';
import { htmlPage } from '../../scenarios/reports/html/page.ts';
import { jsonReport } from '../../scenarios/reports/json.ts';
import { junitXml } from '../../scenarios/reports/junit.ts';
import { scenarioText } from '../../scenarios/reports/text.ts';
import { runVirtual } from '../../scenarios/run/run-virtual.ts';

const STEPS = `
  - { at: 1m, charge: {} }
  - { at: 2m, weather: { lose: { message: command-reply, count: 2 } }, for: 10s }
  - { at: 3m, weather: { lose: { message: amqp-confirm } }, for: 10ms }
  - { at: 4m, break: { backend: { crash: { point: before-mark } } }, for: 10ms }
  - { at: 5m, weather: { coverage: none }, for: 10s }
`;

async function play(more = '') {
  const reading = readScenario(
    `name: warned\nabout: Steps that do nothing.\nfleet: [{ model: petrol-compact }]\nsteps:${STEPS}${more}`,
    'warned.yaml',
  );
  if (!reading.ok) throw new Error(reading.problems[0]?.message);
  const outcome = await runVirtual(reading.scenario);
  return { file: 'warned.yaml', outcome, wallMs: 1, repeat: '' };
}

describe('a step that does not do what it says', () => {
  test('is a warning in every report', async () => {
    const played = await play();
    expect(played.outcome.verdict).toBe('passed');
    expect(jsonReport([played], 0).scenarios[0]?.warnings).toMatchObject([
      {
        step: 'steps[0] charge',
        step_number: 1,
        line: 5,
        vehicle: 1,
        at_ms: 60_000,
        text: 'refused: A vehicle of the model petrol-compact has no plug to charge at.',
      },
      { step: 'steps[1] weather lose', at_ms: 130_000, text: 'no command-reply came while it lasted' },
      { step: 'steps[2] weather lose', at_ms: 180_010, text: 'no amqp-confirm came while it lasted' },
      {
        step: 'steps[3] backend crash',
        at_ms: 240_010,
        text: 'the service never came to before-mark, and did not crash',
      },
    ]);
    const text = scenarioText(played).map((line) => line.text);
    expect(text).toContain(
      '  ! 0:02:10.000 step 2 (line 6) weather lose: no command-reply came while it lasted',
    );
    const xml = junitXml([played]);
    expect(xml).toContain('<system-out>warning: no command-reply came while it lasted</system-out>');
    expect(xml).toContain('failures="0"');
  });

  test('fails a strict run', async () => {
    const played = await play('strict: true\n');
    expect(played.outcome.verdict).toBe('failed');
    const text = scenarioText(played).map((line) => line.text);
    expect(text).toContain(
      '  ✗ 0:02:10.000 step 2 (line 6) weather lose: no command-reply came while it lasted',
    );
    expect(junitXml([played])).toContain('failures="4"');
  });

  test('is in text, JSON, JUnit and HTML however many there are, and what is equal is told once', async () => {
    const rounds = Array.from({ length: 12 }, (_, index) => {
      const what =
        index % 2 === 0 ? '{ delay: { message: record, by: 3s' : '{ lose: { message: command-reply';
      return `  - { at: ${6 + index}m, weather: ${what}, count: 1 } }, for: 10ms }`;
    });
    const charging = '  - { at: 20m, repeat: { every: 1s, times: 3 }, charge: {} }';
    const played = await play([...rounds, charging, ''].join('\n'));
    const { warnings } = played.outcome;
    expect(warnings).toHaveLength(4 + 12 + 3);
    const [json] = jsonReport([played], 0).scenarios;
    expect(json?.warnings).toHaveLength(warnings.length);
    const text = scenarioText(played)
      .map((line) => line.text)
      .join('\n');
    const asXml = new XMLParser({ ignoreAttributes: false }).parse(junitXml([played])) as object;
    const xml = JSON.stringify(asXml);
    const page = htmlPage([played], 0);
    for (const { step_number: number, text: told } of json?.warnings ?? [])
      for (const report of [text, xml, page]) {
        expect(report).toContain(`step ${number} `);
        expect(report).toContain(told);
      }
    const refused =
      'vehicle 1: refused: A vehicle of the model petrol-compact has no plug to charge at. (3 times)';
    expect(text.split(refused)).toHaveLength(2);
  });
});

describe('an expectation of no message', () => {
  const said = (within: string) =>
    `  - { at: 7m20s, call: { command: request-vehicle-state } }\n  - { at: 7m, within: ${within}, expect: { message: VehicleStateReceived, count: 0 } }\n`;

  test('holds over the whole time, and fails when the message comes later', async () => {
    const { outcome } = await play(said('60s'));
    const [later] = outcome.expectations;
    expect(later).toMatchObject({ result: 'failed' });
    expect(later?.text).toContain('expected 0');
    expect((later?.atMs ?? 0) - outcome.startMs).toBeGreaterThanOrEqual(7 * 60_000 + 20_000);
    const short = await play(said('1s'));
    expect(short.outcome.expectations).toMatchObject([
      { result: 'passed', atMs: outcome.startMs + 7 * 60_000 + 1_000 },
    ]);
    expect(short.outcome.warnings.filter(({ step }) => step === 6)).toEqual([]);
  });

  test('that is met before any can have come is a warning in every report', async () => {
    const played = await play(said('0s'));
    const told = 'the expectation `message` is met before anything has happened';
    expect(played.outcome.expectations).toMatchObject([{ result: 'passed' }]);
    expect(jsonReport([played], 0).scenarios[0]?.warnings.at(-1)).toMatchObject({
      step: 'steps[6]',
      at_ms: 420_000,
    });
    const text = scenarioText(played).map((line) => line.text);
    expect(text).toContainEqual(expect.stringContaining(`step 7 (line 11): ${told}`));
    expect(junitXml([played])).toContain(told);
    expect(htmlPage([played], 0)).toContain(told);
  });
});
