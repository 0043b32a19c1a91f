import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../backend/base/limits.ts';
import { makeBrokerProbe } from '../../../../backend/ingest/broker-probe.ts';
import { topics } from '../../../../protocol/topics.ts';
import { VirtualLoop } from '../../../../world/loop/virtual-loop.ts';
import { ProcessScope } from '../../../../world/loop/virtual-process-scope.ts';
import { virtualTime } from '../../../../world/time/virtual-time.ts';

/** A probe in virtual time. `answers`: whether the broker acknowledges what is published. */
function stage(answers: () => boolean) {
  const loop = new VirtualLoop();
  const time = virtualTime(loop, new ProcessScope('probe'));
  const published: number[] = [];
  const silent: number[] = [];
  const beganMs = time.nowMs();
  const probe = makeBrokerProbe({
    time,
    publish() {
      published.push(time.nowMs() - beganMs);
      return answers() ? Promise.resolve() : new Promise(() => undefined);
    },
    silent: () => void silent.push(time.nowMs() - beganMs),
  });
  const at = (ms: number, act: () => void) => void time.alarm(beganMs + ms, act);
  return { probe, loop, published, silent, at, runTo: (ms: number) => loop.runUntil(beganMs + ms) };
}

const { brokerQuietMs, brokerAnswerMs } = limits;

describe('the probe of a broker', () => {
  test('asks a broker that is quiet, and goes on for as long as that acknowledges', async () => {
    const { published, silent, runTo } = stage(() => true);
    await runTo(10 * brokerQuietMs);
    expect(published.length).toBeGreaterThan(5);
    expect(silent).toEqual([]);
  });

  test('tells once of a broker that acknowledges nothing, in bounded time', async () => {
    const { published, silent, runTo } = stage(() => false);
    await runTo(10 * brokerQuietMs);
    expect(published).toHaveLength(1);
    expect(silent).toEqual([brokerQuietMs + brokerAnswerMs]);
  });

  test('never asks one from which something comes often enough', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: brokerQuietMs - 1 }), { minLength: 1, maxLength: 30 }),
        async (pauses) => {
          const { probe, published, at, runTo } = stage(() => false);
          let atMs = 0;
          for (const pause of pauses) {
            atMs += pause;
            at(atMs, () => probe.heard());
          }
          await runTo(atMs + brokerQuietMs - 1);
          expect(published).toEqual([]);
        },
      ),
    );
  });

  test('asks once nothing has come for so long, counted from what came last', async () => {
    const { probe, published, at, runTo } = stage(() => true);
    at(brokerQuietMs / 3, () => probe.heard());
    await runTo(2 * brokerQuietMs);
    expect(published).toEqual([brokerQuietMs + brokerQuietMs / 3]);
  });

  test('takes anything that comes for an answer', async () => {
    const { probe, silent, at, runTo } = stage(() => false);
    at(brokerQuietMs + brokerAnswerMs - 1, () => probe.heard());
    await runTo(brokerQuietMs + brokerAnswerMs + 1);
    expect(silent).toEqual([]);
  });

  test('says nothing while a message is held back here, for what the broker sends is not read then', async () => {
    const { probe, silent, published, at, runTo } = stage(() => false);
    at(1, () => probe.held());
    at(10 * brokerQuietMs, () => probe.released());
    await runTo(11 * brokerQuietMs - 1);
    expect([published, silent]).toEqual([[], []]);
    await runTo(20 * brokerQuietMs);
    expect(silent).toHaveLength(1);
  });

  test('is over once it is stopped', async () => {
    const { probe, published, at, runTo } = stage(() => false);
    at(1, () => probe.stop());
    await runTo(5 * brokerQuietMs);
    expect(published).toEqual([]);
  });

  test('publishes on the topic of a box that there is not', () => {
    expect(topics.probe).toBe(topics.down('0'.repeat(16)));
  });
});
