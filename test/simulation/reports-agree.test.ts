import { expect, test } from 'vitest';
import { htmlPage } from '../../scenarios/reports/html/page.ts';
import { jsonReport } from '../../scenarios/reports/json.ts';
import { junitXml } from '../../scenarios/reports/junit.ts';
import { scenarioText } from '../../scenarios/reports/text.ts';
import { runTimeText } from '../../scenarios/run/time-text.ts';
import { playScenario } from '../support/simulation/play-scenario.ts';

const FAILING = `
name: fails-at-once
about: Under a slow link a car is unlocked, and an hour later three expectations fail at one moment.
fleet: [{ count: 2, driving: false }]
steps:
  - { at: 10s, break: { exchange: { nack: {} } } }
  - { at: 1m, call: { command: unlock-central-lock } }
  - { at: 2m, emergency-stop: {} }
  - { at: 50m, weather: { lose: { message: command-reply, count: 1 } } }
  - at: 1h
    on: { box: 2 }
    within: 5s
    expect:
      - truth: { locked: true }
      - state: { central_lock: LOCKED }
      - message: VehicleStateReceived
`;

const ENTITIES = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&apos;', "'"],
  ['&#39;', "'"],
  ['&amp;', '&'],
]);

/** What stands between and in the tags of XML or HTML. */
function plain(markup: string): string {
  const spaced = markup.replaceAll(/<\/?[a-z][^<]*?>/g, (tag) =>
    tag.includes('message=') ? ` ${tag} ` : ' ',
  );
  return spaced.replaceAll(/&[#\w]+;/g, (entity) => ENTITIES.get(entity) ?? entity);
}

test('text, JSON, JUnit and HTML tell the same of a failure: what was in force, what changed, what was drawn', async () => {
  const outcome = await playScenario(FAILING);
  const played = { file: 'fails.yaml', outcome, wallMs: 1, repeat: 'again' };
  const text = scenarioText(played).map((line) => line.text);
  const head = text.findIndex((line) => line.startsWith('  around '));
  const block = text
    .slice(head + 1)
    .filter((line) => line.startsWith('      ') && !line.includes('not shown'))
    .map((line) => line.trim());
  const has = (word: string): boolean => block.some((line) => line.includes(word));

  // One block for the three, with the vehicle, what is in force from long ago, and what was refused.
  expect(text.filter((line) => line.startsWith('  around '))).toHaveLength(1);
  expect(has('vehicle 2 of fleet-0 is an ')).toBe(true);
  expect(has('still so: fault begins: exchange nack')).toBe(true);
  expect(has('still so: fault begins: weather lose')).toBe(true);
  expect(has('vehicle 2: emergency-stop, refused: ')).toBe(true);
  const failed = outcome.expectations.filter(({ result }) => result === 'failed');
  expect(failed).toHaveLength(3);
  const changes = failed.flatMap(({ findings }) => findings.map(({ text: change }) => change));
  expect(changes).toHaveLength(2);
  for (const change of changes)
    expect(change).toMatch(
      /so since 0:01:00\.\d{3}, after call \d \(command unlock-central-lock\) at 0:01:00\.000$/,
    );

  const [json] = jsonReport([played], 0).scenarios;
  const timelines = json?.timelines ?? [];
  expect(timelines).toHaveLength(1);
  const told = timelines.flatMap(({ lines }) => lines.map((one) => `${runTimeText(one.at_ms)} ${one.text}`));
  expect(told).toEqual(block);

  const xml = plain(junitXml([played]));
  const page = plain(htmlPage([played], 0)).replaceAll(/\s+/g, ' ');
  for (const line of block) {
    expect(xml).toContain(line);
    expect(page).toContain(line.replaceAll(/\s+/g, ' '));
  }
  const jsonTexts = (json?.expectations ?? []).map((one) => one.text).join('\n');
  for (const part of [...changes, ...failed.map((one) => one.text)])
    for (const report of [text.join('\n'), jsonTexts, xml, page]) expect(report).toContain(part);
});
