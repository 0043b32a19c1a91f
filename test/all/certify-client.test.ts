import { beforeAll, describe, expect, test } from 'vitest';
import { certifyClient } from '../../certify/client/certify.ts';
import type { Certificate } from '../../judge/client/certificate.ts';
import { judgeClient } from '../../judge/client/judge.ts';
import { POINT_NAMES, type PointName } from '../../judge/client/points.ts';
import { runClient } from '../support/certify-client/client.ts';
import { CLIENT_FAULT_NAMES, CLIENT_FAULTS, type ClientFault } from '../support/certify-client/faults.ts';

/** So many services at once; each takes its time by the clock, and hardly a processor. */
const AT_ONCE = 9;
const SEED = 3;

/** Certifies the small client with that fault, as one that somebody else has started. */
async function certified(
  fault: ClientFault | undefined,
  only: readonly PointName[] | undefined,
  begun: () => void = () => undefined,
): Promise<Certificate> {
  const ended = new AbortController();
  let running: Promise<void> | undefined;
  const certificate = await certifyClient({
    seed: SEED,
    vehicles: 4,
    only,
    ended: new AbortController().signal,
    ready: (variables) => {
      running = runClient(variables, fault, ended.signal);
      begun();
    },
    tell: () => undefined,
  });
  ended.abort();
  await running;
  if (certificate === undefined) throw new Error('No client was there.');
  return certificate;
}

/** The points that a run failed, of all, with what was seen. */
function failuresOf({ run }: Certificate): readonly string[] {
  return judgeClient(run)
    .filter(({ result }) => result === 'failed')
    .map(({ name, text, findings }) => `${name}: ${text} ${findings.map((one) => one.text).join('; ')}`);
}

describe('certify-client', () => {
  const results = new Map<ClientFault | 'none', Promise<Certificate>>();

  beforeAll(() => {
    // The quota takes longest after the whole round, which begins alone: many services that start take their time.
    const waiting = [...CLIENT_FAULT_NAMES].sort(
      (one, other) => Number(other === 'hammers-after-429') - Number(one === 'hammers-after-429'),
    );
    let free = AT_ONCE;
    const begin = () => {
      while (free > 0) {
        const next = waiting.shift();
        if (next === undefined) return;
        free--;
        const result = certified(next, [CLIENT_FAULTS[next]]).finally(() => {
          free++;
          begin();
        });
        result.catch(() => undefined);
        results.set(next, result);
      }
    };
    const whole = certified(undefined, undefined, begin);
    whole.catch(() => undefined);
    results.set('none', whole);
  });

  const resultOf = async (name: ClientFault | 'none'): Promise<Certificate> => {
    while (!results.has(name)) await Promise.race([...results.values()].map((one) => one.catch(() => 0)));
    return (await results.get(name)) as Certificate;
  };

  test('a client that does all of it right passes every point', async () => {
    const { points } = await resultOf('none');
    expect(points.filter(({ result }) => result !== 'passed')).toEqual([]);
    expect(points.map(({ name }) => name)).toEqual(POINT_NAMES);
  }, 240_000);

  test('every point is failed by one of the faults', () => {
    expect(new Set(Object.values(CLIENT_FAULTS))).toEqual(new Set(POINT_NAMES));
  });

  for (const fault of CLIENT_FAULT_NAMES) {
    const point = CLIENT_FAULTS[fault];
    test(`a client that ${fault.replaceAll('-', ' ')} fails ${point} and nothing else`, async () => {
      const failures = failuresOf(await resultOf(fault));
      expect(
        failures.map((text) => text.split(':')[0]),
        failures.join('\n'),
      ).toEqual([point]);
    });
  }
});
