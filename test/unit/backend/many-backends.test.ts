import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandLimits, limits, partitionLimits } from '../../../backend/base/limits.ts';
import { partitionOf } from '../../../protocol/partitions.ts';
import {
  ANSWER_TIMEOUT_MS,
  type ManyBackends,
  type OneBackend,
  openManyBackends,
} from '../../support/backend/many-backends.ts';
import { ScriptedBox } from '../../support/backend/scripted-box.ts';
import { BOX_ID, newVehicle } from '../../support/store/store-rows.ts';

describe('several backends on one store', () => {
  let backends: ManyBackends;
  let box: ScriptedBox;
  beforeEach(async () => {
    backends = openManyBackends();
    await backends.store.vehicles.save(newVehicle());
    box = new ScriptedBox(backends.world, BOX_ID);
    await backends.world.run(() => box.connect());
  });
  afterEach(() => backends.close());

  test('a command is answered as soon as another backend has committed the reply', async () => {
    const { world } = backends;
    const asked = await backends.start('asked', { isDeaf: true });
    await backends.start('serving');
    await world.run(() => box.send({ kind: 'birth', connection: 1 }));
    await world.runFor(1_000);
    const token = await backends.token(asked);
    const beganMs = world.time.nowMs();
    const answering = asked.ask('POST', '/vehicles/VEH01/commands/lock-central-lock', token);
    const replying = (async () => {
      for (;;) {
        const request = box.down.find(({ message }) => message.kind === 'command')?.message;
        if (request?.kind === 'command') return request.requestId;
        await new Promise<void>((resolve) => world.time.alarm(world.time.nowMs() + 1, resolve));
      }
    })().then((requestId) => box.send({ kind: 'reply', requestId, outcome: 'done', error: '' }, 1));
    expect((await answering).status).toBe(200);
    await replying;
    expect(world.time.nowMs() - beganMs).toBeLessThan(commandLimits.lookMs);
  });

  test('a backend that stops, and leaves its boxes to others, answers a command for as long as its box may take', async () => {
    const { world } = backends;
    const stopping = await backends.start('stopping', { settings: { shared: { backend: 'stopping' } } });
    await world.run(() => box.send({ kind: 'birth', connection: 1 }));
    await world.runFor(1_000);
    const token = await backends.token(stopping);
    const passes = (ms: number) =>
      new Promise<void>((resolve) => world.time.alarm(world.time.nowMs() + ms, resolve));
    const answering = stopping.ask('POST', '/vehicles/VEH01/commands/lock-central-lock', token);
    const replying = (async () => {
      for (;;) {
        const request = box.down.find(({ message }) => message.kind === 'command')?.message;
        if (request?.kind === 'command') return request.requestId;
        await passes(1);
      }
    })().then(async (requestId) => {
      const stopped = stopping.service.stop();
      await passes(ANSWER_TIMEOUT_MS / 2);
      await box.send({ kind: 'reply', requestId, outcome: 'done', error: '' }, 1);
      await stopped;
    });
    expect((await answering).status).toBe(200);
    await world.run(() => replying);
  });

  test('a setup whose box became ready as its backend died is begun by the one that takes the box over', async () => {
    const { world, store } = backends;
    await store.vehicles.save(newVehicle({ setupStatus: 'PENDING' }));
    const shared = (backend: string) => ({ settings: { shared: { backend } } });
    const dying = await backends.start('dying', shared('dying'));
    await backends.start('other', shared('other'));
    const isConnected = (): boolean => {
      const call = { part: 'ingest', name: 'load', parameters: [[BOX_ID]] } as const;
      const [outcome] = store.carryOut([call]);
      const known = outcome !== undefined && 'value' in outcome ? outcome.value : undefined;
      return known instanceof Map && known.get(BOX_ID)?.vehicle.box.connection?.open === true;
    };
    void box.send({ kind: 'birth', connection: 1 });
    await world.runUntil(isConnected, 1_000);
    dying.crash();
    const isBegun = () =>
      box.down.some(({ message }) => message.kind === 'command' && message.command === 'begin-setup');
    expect(isBegun()).toBe(false);
    await world.runUntil(isBegun, partitionLimits.leaseMs + 2 * partitionLimits.beatMs);
  });

  test('the quota of a client is one for all, however its requests are spread', async () => {
    const requestsPerMinute = 20;
    const started = [];
    for (const name of ['one', 'two', 'three'])
      started.push(
        await backends.start(name, {
          isDeaf: name !== 'one',
          settings: { requestsPerMinute, shared: { backend: name } },
        }),
      );
    const [first] = started;
    if (first === undefined) throw new Error('no backend');
    const token = await backends.token(first);
    const statuses: number[] = [];
    for (let count = 0; count < 2 * requestsPerMinute; count += 1) {
      const backend = started[(count * 7) % 3] ?? first;
      statuses.push((await backend.ask('GET', '/vehicles/VEH01', token)).status);
    }
    const passed = statuses.filter((status) => status === 200).length;
    expect(passed).toBeGreaterThanOrEqual(0.9 * requestsPerMinute);
    expect(passed).toBeLessThanOrEqual(requestsPerMinute);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2 * requestsPerMinute - passed);
    await backends.world.runFor(60_000);
    expect((await first.ask('GET', '/vehicles/VEH01', token)).status).toBe(200);
  });

  /** The status of a command that the box carries out at once, with that sequence; it has its whole time until it expires. */
  async function commanded(asked: OneBackend, token: string, sequence: number): Promise<number> {
    const { time } = backends.world;
    box.down.length = 0;
    const answering = asked.ask('POST', '/vehicles/VEH01/commands/lock-central-lock', token);
    const command = () =>
      box.down.map(({ message }) => message).find((message) => message.kind === 'command');
    while (command() === undefined)
      await new Promise<void>((resolve) => time.alarm(time.nowMs() + 1, resolve));
    const request = command();
    if (request?.kind !== 'command') throw new Error('no command');
    const leftMs = request.expiresMs - time.nowMs();
    expect(leftMs).toBeGreaterThan(ANSWER_TIMEOUT_MS - 1_000);
    expect(leftMs).toBeLessThanOrEqual(ANSWER_TIMEOUT_MS);
    void box.send({ kind: 'reply', requestId: request.requestId, outcome: 'done', error: '' }, sequence);
    return (await answering).status;
  }

  test.each([-600_000, 600_000])(
    'a backend whose clock is off by %i ms does all that the others do',
    async (clockOffMs) => {
      const { world, store } = backends;
      const shared = (backend: string) => ({ settings: { shared: { backend } } });
      const off = await backends.start('off', { clockOffMs, ...shared('off') });
      const right = await backends.start('right', shared('right'));
      // Some of the partitions go over.
      await world.runFor(3 * partitionLimits.leaseMs);
      for (const [giver, taker] of [
        [off, right],
        [right, off],
      ] as const) {
        const token = await backends.token(giver);
        expect((await taker.ask('GET', '/vehicles/VEH01', token)).status).toBe(200);
      }
      await world.run(() => box.send({ kind: 'birth', connection: 1 }));
      await world.runFor(1_000);
      for (const asked of [off, right]) {
        const beganMs = world.time.nowMs();
        expect(await commanded(asked, await backends.token(asked), asked === off ? 1 : 2)).toBe(200);
        expect(world.time.nowMs() - beganMs).toBeLessThan(commandLimits.lookMs);
      }
      const known = (await store.ingest.load([BOX_ID])).get(BOX_ID);
      expect(Math.abs((known?.vehicle.box.lastContactMs ?? 0) - world.time.nowMs())).toBeLessThan(2_000);
    },
  );

  test.each([-600_000, -60_000, 60_000, 600_000])(
    'a backend whose clock is set by %i ms while it runs keeps its partitions and answers on',
    async (byMs) => {
      const { world } = backends;
      const shared = (backend: string) => ({ settings: { shared: { backend } } });
      const one = await backends.start('one', shared('one'));
      const two = await backends.start('two', shared('two'));
      await world.runFor(3 * partitionLimits.leaseMs);
      const token = await backends.token(one);
      const held = async ({ ask }: OneBackend): Promise<readonly number[]> => {
        const body = await (await ask('GET', '/health/ready', token)).json();
        return (body as { partitions: { held: readonly number[] } }).partitions.held;
      };
      // The one that serves the box.
      const isOnes = (await held(one)).includes(partitionOf(BOX_ID));
      const [set, other] = isOnes ? [one, two] : [two, one];
      const before = [await held(set), await held(other)];
      await world.run(() => box.send({ kind: 'birth', connection: 1 }));
      await world.runFor(1_000);
      set.setClock(byMs);
      for (const [index, asked] of [set, other, set, other].entries()) {
        expect((await asked.ask('GET', '/vehicles/VEH01', await backends.token(set))).status).toBe(200);
        expect(await commanded(asked, token, index + 1)).toBe(200);
        expect([await held(set), await held(other)]).toEqual(before);
        await world.runFor(partitionLimits.beatMs);
      }
      await world.runFor(2 * limits.clockLookMs);
      expect([await held(set), await held(other)]).toEqual(before);
      expect(set.service.counters()['leases.lapsed']).toBeUndefined();
    },
  );

  test('a token of one backend is good at every other', async () => {
    const one = await backends.start('one');
    const other = await backends.start('other', { isDeaf: true });
    const token = await backends.token(one);
    expect((await one.ask('GET', '/vehicles/VEH01', token)).status).toBe(200);
    expect((await other.ask('GET', '/vehicles/VEH01', token)).status).toBe(200);
  });
});
