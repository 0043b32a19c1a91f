import { expect, test } from 'vitest';
import { limits } from '../../backend/base/limits.ts';
import { encodeFrame } from '../../protocol/codec/frame.ts';
import { topics } from '../../protocol/topics.ts';
import { sleep } from '../../world/time/time.ts';
import { TestFleet } from '../support/simulation/test-fleet.ts';

const MINUTE_MS = 60_000;

test('a box is served again after somebody with its password has begun another epoch in its name', () =>
  TestFleet.play({ seed: 5, vehicles: 3 }, async (fleet) => {
    const { time } = fleet.world;
    const [plan] = fleet.plans;
    if (plan === undefined) throw new Error('There is no box.');
    const { boxId, secret, vehicleId } = plan;
    for (const box of fleet.boxes) box.park();
    await sleep(time, 2 * MINUTE_MS);
    const token = await fleet.token();
    const ask = async () =>
      (await fleet.call('POST', `/vehicles/${vehicleId}/box-commands/request-system-status`, token)).status;
    const recordsOf = async () => {
      const records = await fleet.store.ingest.records({ boxId, after: undefined, limit: 10_000 });
      return records.filter(({ epoch }) => epoch === own).map(({ sequence }) => sequence);
    };
    const own = (await fleet.store.vehicles.find(vehicleId))?.box.journal.epoch ?? 0;
    expect(await ask()).toBe(200);
    const before = await recordsOf();

    // Takes the place of the box at the broker for a moment.
    const intruder = await fleet.world.instance('intruder').mqtt.open(
      {
        clientId: boxId,
        username: boxId,
        password: secret,
        clean: true,
        keepAliveS: 60,
        connectTimeoutMs: 5_000,
      },
      { message: (_topic, _payload, _retained, acknowledge) => acknowledge(), closed: () => undefined },
    );
    const clockMs = time.nowMs();
    await intruder.publish({
      topic: topics.up(boxId),
      payload: encodeFrame({
        generation: plan.generation,
        epoch: own ^ 0x5a5a,
        boot: 1,
        sequence: 1,
        clockMs,
        message: { kind: 'heartbeat' },
      }),
      retain: false,
    });
    intruder.drop();
    await sleep(time, 2 * MINUTE_MS);
    expect(await ask()).not.toBe(200);

    // The box finds out that nothing is acknowledged, connects anew and greets, at most five minutes apart.
    await sleep(time, limits.epochReturnMs + 15 * MINUTE_MS);
    expect(await ask()).toBe(200);
    expect(fleet.counters()['troubles.epoch-return']).toBe(1);
    const after = await recordsOf();
    expect(after.slice(0, before.length)).toEqual(before);
    expect(after.length).toBeGreaterThan(before.length);
    expect(after).toEqual(Array.from({ length: after.length }, (_, index) => (before[0] ?? 1) + index));
  }));
