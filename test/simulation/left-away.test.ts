import { describe, expect, test } from 'vitest';
import { isLeftAway } from '../../scenarios/theatre/left-away.ts';
import type { SimState } from '../../simulator/firmware/state.ts';
import { sleep } from '../../world/time.ts';
import { complaintsOf, play, playAndAsk } from './scenarios-play.ts';

describe('a box that somebody has left away', () => {
  test('by its card, which the owner suspended and left so, is waited for by nobody; nor is its part of a job', async () => {
    const outcome = await play(`
name: card-left-suspended
about: An owner suspends the card of a car that drives, and orders something for the whole fleet.
seed: 4
fleet:
  - { count: 2, features: none, driving: true }
steps:
  - { at: 10s, on: { box: 1 }, call: { command: request-sim-suspension }, expect: { status: [200, 204] } }
  - { at: 3m, on: { box: 1 }, expect: { connected: false } }
  - { at: 3m, call: { bulk: { tracking: { time_interval_in_seconds: 60 } } } }
  - { at: 5m, on: { box: 2 }, expect: { connected: true } }
always: all
`);
    expect(complaintsOf(outcome)).toEqual([]);
    expect(outcome).toMatchObject({ verdict: 'passed' });
  });

  test('is waited for again as soon as its card is active, with its part of a job', async () => {
    const text = `
name: both-suspended
about: An owner suspends both cards and orders something for the whole fleet, which nobody waits for.
seed: 4
fleet:
  - { count: 2, features: none, driving: true }
steps:
  - { at: 10s, call: { command: request-sim-suspension }, expect: { status: [200, 204] } }
  - { at: 3m, call: { bulk: { tracking: { time_interval_in_seconds: 60 } } } }
always: [heals]
`;
    const [before, after] = await playAndAsk(text, async (evidence, theatre) => {
      const suspended = await evidence.pending();
      await theatre.weather({ name: 'sim', settings: 'active' }, theatre.players.slice(1));
      await sleep(theatre.time, 1_000);
      return [suspended, await evidence.pending()] as const;
    });
    expect(before).toEqual([]);
    expect(after.map(({ what, reason, player }) => [player?.number, `${what}: ${reason}`])).toEqual([
      [2, expect.stringMatching(/^the session of the box: .* its SIM card active$/)],
      [undefined, expect.stringMatching(/^the bulk job \w+: 1 vehicle is pending$/)],
    ]);
  });

  test('has a suspended card, whatever it believes; a detached one gets onto a network again', () => {
    const box = (sim: SimState, believed: SimState) => ({
      sim: () => sim,
      belief: () => ({ power: 'up', sim: believed }),
      truth: () => ({ supplyMillivolts: 12_600, ignitionOn: true }),
    });
    expect(isLeftAway(box('suspended', 'active'))).toBe(true);
    expect(isLeftAway(box('detached', 'suspended'))).toBe(false);
    expect(isLeftAway(box('active', 'suspended'))).toBe(false);
  });
});
