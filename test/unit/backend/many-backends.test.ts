import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandLimits } from '../../../backend/commands/limits.ts';
import { type ManyBackends, openManyBackends } from '../../support/backend/many-backends.ts';
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

  test('a token of one backend is good at every other', async () => {
    const one = await backends.start('one');
    const other = await backends.start('other', { isDeaf: true });
    const token = await backends.token(one);
    expect((await one.ask('GET', '/vehicles/VEH01', token)).status).toBe(200);
    expect((await other.ask('GET', '/vehicles/VEH01', token)).status).toBe(200);
  });
});
