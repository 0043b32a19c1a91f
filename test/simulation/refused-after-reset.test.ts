import { expect, test } from 'vitest';
import { COMMANDS, endsSession } from '../../protocol/commands.ts';
import { COMMAND_ACTIONS } from '../../simulator/firmware/commands/command-actions.ts';
import { runInSandbox } from '../../world/sandbox/virtual-sandbox.ts';
import { sleep } from '../../world/time/time.ts';
import { TestFleet } from '../support/simulation/test-fleet.ts';

const STARTING = 'The telematics unit is starting or updating; it accepts no commands yet.';
const SESSION_ENDING = COMMANDS.filter(({ name }) => endsSession(name)).map(({ name }) => name);

/** The answer to a call: its status, the detail of its problem, and how long it took. */
interface TimedAnswer {
  readonly status: number;
  readonly detail: unknown;
  readonly tookMs: number;
}

/** A parked fleet whose frames take three seconds, so that a going-down arrives long after the reply before it. */
async function withSlowLinks(
  play: (fleet: {
    readonly vehicleIds: readonly string[];
    call(path: string): Promise<TimedAnswer>;
    sleep(durationMs: number): Promise<void>;
    life(vehicleId: string): Promise<unknown>;
  }) => Promise<void>,
): Promise<void> {
  const fleet = new TestFleet({ seed: 11, vehicles: 6 });
  const { time } = fleet.world;
  await runInSandbox(fleet.world, () =>
    fleet.world.run(async () => {
      await fleet.raise();
      for (const box of fleet.boxes) box.park();
      await sleep(time, 30_000);
      const slow = fleet.plans.map(({ boxId }) =>
        fleet.world.networkFaults.apply('latency', boxId, { delayMs: 3_000, jitterMs: 0 }),
      );
      const token = await fleet.token();
      await play({
        vehicleIds: fleet.plans.map(({ vehicleId }) => vehicleId),
        sleep: (durationMs) => sleep(time, durationMs),
        async call(path) {
          const beganMs = time.nowMs();
          const response = await fleet.call('POST', path, token);
          const body = await response.text();
          const { detail } = body === '' ? { detail: undefined } : (JSON.parse(body) as { detail?: unknown });
          return { status: response.status, detail, tookMs: time.nowMs() - beganMs };
        },
        async life(vehicleId) {
          const response = await fleet.call('GET', `/vehicles/${vehicleId}`, token);
          return ((await response.json()) as { life_status: { value: unknown } }).life_status.value;
        },
      });
      for (const end of slow) end();
      await fleet.close();
    }),
  );
}

test('the commands that end a session are those that the firmware answers before it disconnects', () => {
  const pendingTasks = COMMANDS.filter(({ name }) => COMMAND_ACTIONS[name].do === 'pending-task').map(
    ({ name }) => name,
  );
  expect(SESSION_ENDING).toEqual(pendingTasks);
});

test.each(SESSION_ENDING)(
  'after the 204 of %s the next command is refused at once, and accepted once the box has reconnected',
  (command) =>
    withSlowLinks(async ({ vehicleIds, call, life, sleep: pass }) => {
      let done = 0;
      for (const id of vehicleIds) {
        const first = await call(`/vehicles/${id}/box-commands/${command}`);
        // No other network is available: the box stays on its network.
        if (command === 'switch-mobile-network' && first.status === 500) continue;
        expect(first.status).toBe(204);
        done += 1;
        const next = await call(`/vehicles/${id}/box-commands/request-system-status`);
        expect(next).toEqual({ status: 409, detail: STARTING, tookMs: expect.any(Number) });
        expect(next.tookMs).toBeLessThan(1_000);
        expect(await life(id)).toBe('STANDBY');
        await pass(120_000);
        expect(await call(`/vehicles/${id}/box-commands/request-system-status`)).toMatchObject({
          status: 200,
        });
        expect(await life(id)).toBe('ONLINE');
      }
      expect(done).toBeGreaterThan(0);
    }),
  60_000,
);

test(
  'after the 204 of a detachment the next command is refused at once, and accepted once the box has reconnected',
  () =>
    withSlowLinks(async ({ vehicleIds, call, sleep: pass }) => {
      let detached = 0;
      for (const id of vehicleIds) {
        const first = await call(`/vehicles/${id}/box-connectivity-commands/network-detach`);
        if (first.status === 409) continue;
        detached += 1;
        expect(first.status).toBe(204);
        const next = await call(`/vehicles/${id}/box-commands/request-system-status`);
        expect(next).toEqual({ status: 409, detail: STARTING, tookMs: expect.any(Number) });
        expect(next.tookMs).toBeLessThan(1_000);
        await pass(120_000);
        expect(await call(`/vehicles/${id}/box-commands/request-system-status`)).toMatchObject({
          status: 200,
        });
      }
      expect(detached).toBeGreaterThan(0);
    }),
  60_000,
);

test(
  'after the 204 of a suspension the next command is refused at once because the box is not connected',
  () =>
    withSlowLinks(async ({ vehicleIds, call, life, sleep: pass }) => {
      let suspended = 0;
      for (const id of vehicleIds) {
        const first = await call(`/vehicles/${id}/box-connectivity-commands/request-sim-suspension`);
        if (first.status === 409) continue;
        suspended += 1;
        expect(first.status).toBe(204);
        const next = await call(`/vehicles/${id}/box-commands/request-system-status`);
        expect(next).toMatchObject({ status: 504, detail: expect.stringContaining('did not connect') });
        expect(next.tookMs).toBeLessThan(1_000);
        expect(await life(id)).toBe('OFFLINE');
        expect((await call(`/vehicles/${id}/box-connectivity-commands/request-sim-activation`)).status).toBe(
          204,
        );
        await pass(120_000);
        expect(await call(`/vehicles/${id}/box-commands/request-system-status`)).toMatchObject({
          status: 200,
        });
        expect(await life(id)).toBe('ONLINE');
      }
      expect(suspended).toBeGreaterThan(0);
    }),
  60_000,
);

test('a reply that is repeated after the reset does not make the box count as going down', async () => {
  const fleet = new TestFleet({ seed: 11, vehicles: 1 });
  const { time, networkFaults } = fleet.world;
  await runInSandbox(fleet.world, () =>
    fleet.world.run(async () => {
      await fleet.raise();
      const [plan] = fleet.plans;
      const [box] = fleet.boxes;
      if (plan === undefined || box === undefined) throw new Error('there is no box');
      box.park();
      await sleep(time, 30_000);
      const token = await fleet.token();
      // All frames of the box are lost until after its reset.
      let isLost = true;
      const resetting = fleet.call('POST', `/vehicles/${plan.vehicleId}/box-commands/board-reset`, token);
      await sleep(time, 120);
      const endHalfOpen = networkFaults.apply('half_open', plan.boxId, {});
      void sleep(time, 12_000).then(() => {
        endHalfOpen();
        isLost = false;
      });
      expect((await resetting).status).toBe(204);
      expect(isLost).toBe(false);
      await sleep(time, 30_000);
      const path = `/vehicles/${plan.vehicleId}/box-commands/request-system-status`;
      expect((await fleet.call('POST', path, token)).status).toBe(200);
      await fleet.close();
    }),
  );
});
