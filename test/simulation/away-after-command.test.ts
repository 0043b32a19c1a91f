import { expect, test } from 'vitest';
import { COMMANDS, endsSession } from '../../protocol/commands.ts';
import { Stage } from '../../scenarios/stage.ts';
import { DEEDS } from '../../simulator/firmware/deeds.ts';
import { sleep } from '../../world/time.ts';
import { runInSandbox } from '../../world/virtual-sandbox.ts';

const STARTING = 'The telematics unit is starting or updating; it takes no commands yet.';
const LEAVING = COMMANDS.filter(({ name }) => endsSession(name)).map(({ name }) => name);

/** A call of a running service: its status, its problem's detail, and how long the answer took. */
interface Said {
  readonly status: number;
  readonly detail: unknown;
  readonly tookMs: number;
}

/** A fleet at rest whose frames take three seconds to arrive, so that a goodbye is far behind the answer before it. */
async function withSlowLinks(
  play: (fleet: {
    readonly vehicleIds: readonly string[];
    call(path: string): Promise<Said>;
    sleep(durationMs: number): Promise<void>;
    life(vehicleId: string): Promise<unknown>;
  }) => Promise<void>,
): Promise<void> {
  const stage = new Stage({ seed: 11, vehicles: 6, isUnconfigured: true });
  const { time } = stage.world;
  await runInSandbox(stage.world, () =>
    stage.world.run(async () => {
      await stage.raise();
      for (const box of stage.fleet.boxes.values()) box.park();
      await sleep(time, 30_000);
      const slow = stage.plans.map(({ boxId }) =>
        stage.world.weather.lay('latency', boxId, { delayMs: 3_000, jitterMs: 0 }),
      );
      const token = await stage.token();
      await play({
        vehicleIds: stage.plans.map(({ vehicleId }) => vehicleId),
        sleep: (durationMs) => sleep(time, durationMs),
        async call(path) {
          const beganMs = time.nowMs();
          const response = await stage.call('POST', path, token);
          const body = await response.text();
          const { detail } = body === '' ? { detail: undefined } : (JSON.parse(body) as { detail?: unknown });
          return { status: response.status, detail, tookMs: time.nowMs() - beganMs };
        },
        async life(vehicleId) {
          const response = await stage.call('GET', `/vehicles/${vehicleId}`, token);
          return ((await response.json()) as { life_status: { value: unknown } }).life_status.value;
        },
      });
      for (const end of slow) end();
      await stage.close();
    }),
  );
}

test('the commands that end a session are those that the firmware answers before it gives up its link', () => {
  const errands = COMMANDS.filter(({ name }) => DEEDS[name].do === 'errand').map(({ name }) => name);
  expect(LEAVING).toEqual(errands);
});

test.each(LEAVING)(
  'behind the 204 of %s the next command is refused at once, and taken once the box is back',
  (command) =>
    withSlowLinks(async ({ vehicleIds, call, life, sleep: pass }) => {
      let done = 0;
      for (const id of vehicleIds) {
        const first = await call(`/vehicles/${id}/box-commands/${command}`);
        // No other network in reach: it stays where it is.
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
  'behind the 204 of a detachment the next command is refused at once, and taken once the box is back',
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
  'behind the 204 of a suspension the next command is told at once that nobody is there',
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

test('a reply that comes again after the reset does not take a box for one that goes down', async () => {
  const stage = new Stage({ seed: 11, vehicles: 1, isUnconfigured: true });
  const { time, weather } = stage.world;
  await runInSandbox(stage.world, () =>
    stage.world.run(async () => {
      await stage.raise();
      const [plan] = stage.plans;
      const box = plan && stage.fleet.boxes.get(plan.boxId);
      if (plan === undefined || box === undefined) throw new Error('there is no box');
      box.park();
      await sleep(time, 30_000);
      const token = await stage.token();
      // What the box says is lost until it has been down.
      let isLost = true;
      const resetting = stage.call('POST', `/vehicles/${plan.vehicleId}/box-commands/board-reset`, token);
      await sleep(time, 100);
      weather.halfOpen(plan.boxId, true);
      void sleep(time, 12_000).then(() => {
        weather.halfOpen(plan.boxId, false);
        isLost = false;
      });
      expect((await resetting).status).toBe(204);
      expect(isLost).toBe(false);
      await sleep(time, 30_000);
      const path = `/vehicles/${plan.vehicleId}/box-commands/request-system-status`;
      expect((await stage.call('POST', path, token)).status).toBe(200);
      await stage.close();
    }),
  );
}, 60_000);
