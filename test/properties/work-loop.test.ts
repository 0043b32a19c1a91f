import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeWorkLoop } from '../../backend/base/work-loop.ts';

/** Alarms that the test fires by hand. */
class ManualTime {
  readonly #alarms = new Set<() => void>();

  nowMs(): number {
    return 0;
  }

  alarm(_dueMs: number, wake: () => void): () => void {
    const alarm = (): void => {
      this.#alarms.delete(alarm);
      wake();
    };
    this.#alarms.add(alarm);
    return () => void this.#alarms.delete(alarm);
  }

  get pending(): number {
    return this.#alarms.size;
  }

  fire(): void {
    for (const alarm of [...this.#alarms]) alarm();
  }
}

/** Lets that many steps of other promises pass. */
async function steps(count: number): Promise<void> {
  for (let step = 0; step < count; step += 1) await Promise.resolve();
}

/** How long each round takes, in steps, and whether it fails. */
const rounds = fc.array(fc.record({ steps: fc.nat({ max: 4 }), fails: fc.boolean() }), { maxLength: 12 });
/** How many steps pass before each piece of work, and whether the alarm for the retry fires before it. */
const arrivals = fc.array(fc.record({ steps: fc.nat({ max: 5 }), retries: fc.boolean() }), {
  minLength: 1,
  maxLength: 25,
});

test('whenever work arrives, a round that begins later sees it, and rounds never overlap', () =>
  fc.assert(
    fc.asyncProperty(rounds, arrivals, async (planned, arriving) => {
      const time = new ManualTime();
      const left = [...planned];
      const added: number[] = [];
      const done = new Set<number>();
      let underWay = 0;
      let begun = 0;
      let failures = 0;
      const loop = makeWorkLoop({
        time,
        async round() {
          underWay += 1;
          begun += 1;
          expect(underWay).toBe(1);
          const seen = [...added];
          const plan = left.shift();
          await steps(plan?.steps ?? 1);
          underWay -= 1;
          if (plan?.fails === true) throw new Error('The store failed.');
          for (const one of seen) done.add(one);
        },
        failed() {
          failures += 1;
          return 10;
        },
      });
      for (const { steps: count, retries } of arriving) {
        await steps(count);
        if (retries) time.fire();
        added.push(added.length);
        loop.wake();
      }
      // Nothing else wakes it from here on but its own retries.
      for (let turn = 0; turn <= planned.length; turn += 1) {
        await steps(200);
        if (time.pending > 0) time.fire();
      }
      expect([...done].sort((a, b) => a - b)).toEqual(added);
      expect(begun).toBeLessThanOrEqual(arriving.length + failures);
      expect(time.pending).toBe(0);
    }),
  ));

test('wake-ups during a round lead to one more round', async () => {
  let begun = 0;
  const loop = makeWorkLoop({
    time: new ManualTime(),
    async round() {
      begun += 1;
      await steps(3);
    },
    failed: () => 1,
  });
  for (let wake = 0; wake < 10; wake += 1) loop.wake();
  await steps(50);
  expect(begun).toBe(2);
});

test('a stopped loop begins no round, and leaves no alarm behind', async () => {
  const time = new ManualTime();
  let begun = 0;
  const loop = makeWorkLoop({
    time,
    async round() {
      begun += 1;
      await steps(1);
      throw new Error('The store failed.');
    },
    failed: () => 1,
  });
  loop.wake();
  await steps(20);
  expect(time.pending).toBe(1);
  loop.stop();
  expect(time.pending).toBe(0);
  loop.wake();
  await steps(20);
  expect(begun).toBe(1);
});

test('a loop that is stopped during a failing round leaves no alarm behind', async () => {
  const time = new ManualTime();
  const loop = makeWorkLoop({
    time,
    async round() {
      await steps(5);
      throw new Error('The store failed.');
    },
    failed: () => 1,
  });
  loop.wake();
  loop.stop();
  await steps(20);
  expect(time.pending).toBe(0);
});
