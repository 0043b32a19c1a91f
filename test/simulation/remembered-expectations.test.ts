import { expect, test } from 'vitest';
import { playScenario } from '../support/simulation/play-scenario.ts';

const RUN = `
name: remembered
about: What calls kept stands where words and numbers are expected.
seed: 5
fleet:
  - { count: 2, model: petrol-compact, firmware: "2.31", driving: false }
steps:
  - at: 30s
    call: { get: "/vehicles/{vehicle}", remember: { code: status, life: body.life_status.value, setup: body.setup_status, unlocked: body.maintenance_booked } }
    expect: { status: "{code}" }
  - { at: 40s, call: { get: "/vehicles/{vehicle}" }, expect: { status: [404, "{code}"], body: { life_status: { value: "{life}" } } } }
  - { at: 41s, expect: [{ life_status: "{life}" }, { setup_status: "{setup}" }, { truth: { locked: { not: "{unlocked}" } } }] }
  - { at: 42s, call: { get: "/vehicles/{vehicle}", as: stranger }, within: 1s, expect: { status: WANTED } }
`;

const play = async (wanted: string) => {
  const { expectations } = await playScenario(RUN.replace('WANTED', wanted));
  return expectations.map(({ result }) => result === 'passed');
};

test('what a call remembered is what is expected, as the number or word that it was', async () => {
  const isMet = await play('404');
  expect(isMet.length).toBeGreaterThan(5);
  expect(isMet.every((one) => one)).toBe(true);
});

test('and where something else comes, it is not met', async () => {
  const isMet = await play('"{code}"');
  expect(isMet.filter((one) => !one).length).toBeGreaterThan(0);
});
