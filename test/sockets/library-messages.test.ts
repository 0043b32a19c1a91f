import { expect, expectTypeOf, test } from 'vitest';
import type { Timed } from '../../library/start.ts';
import { boxtwin } from '../../library/vitest.ts';

const service = boxtwin({ seed: 1, vehicles: 3, answerTimeoutS: 3 });

const lock = (id: string) => service.call('POST', `/vehicles/${id}/commands/lock-central-lock`);
const failureOf = async (promise: Promise<unknown>) =>
  (await promise.catch((error: unknown) => error)) as Error;

test('a message that a command causes is awaited, typed by its name', async () => {
  const vehicle = service.vehicle();
  await service.box(vehicle).park();
  await expect(vehicle).toHaveState({ speed_in_kph: 0 }, { within: '20s' });
  await service.call('POST', `/vehicles/${vehicle.id}/commands/unlock-central-lock`);
  const next = service.nextMessage(
    {
      type: 'VehicleStateReceived',
      vehicle,
      where: ({ data }) => data.vehicle_state.central_lock?.value === 'LOCKED',
    },
    { within: '10s' },
  );
  // What the test does waits until the reading has begun.
  expect((await lock(vehicle.id)).status).toBe(200);
  const { type, data } = await next;
  expect(type).toBe('VehicleStateReceived');
  expect(data.vehicle_id).toBe(vehicle.id);
  expectTypeOf(data.vehicle_state.central_lock).toEqualTypeOf<Timed<'LOCKED' | 'UNLOCKED'> | undefined>();
}, 60_000);

test('messages come one by one, until the reader has enough', async () => {
  const vehicle = service.vehicle(1);
  const seen: string[] = [];
  const messages = service.messages({ type: 'VehicleDataChanged', vehicle });
  await messages.opened;
  for (const tag of ['one', 'two', 'three'])
    await service.call('PATCH', `/vehicles/${vehicle.id}`, { tags: [tag] });
  for await (const { data } of messages) {
    seen.push(...(data.tags ?? []));
    if (seen.length === 2) break;
  }
  expect(seen).toEqual(['one', 'two']);
}, 30_000);

test('a wait without its message tells what arrived instead and what to check', async () => {
  const [first, second] = [service.vehicle(0), service.vehicle(1)];
  await service.box(second).coverage(false);
  const wait = failureOf(
    service.nextMessage({ type: 'VehicleStateReceived', vehicle: second }, { within: '3s' }),
  );
  await service.call('POST', `/vehicles/${first.id}/commands/request-vehicle-state`);
  const { message, stack } = await wait;
  await service.box(second).coverage(true);
  expect(message).toContain(`No VehicleStateReceived of vehicle ${second.id} arrived within 3s.`);
  expect(message).toMatch(/\d+ other messages? arrived:/);
  expect(message).toContain(`VehicleStateReceived of vehicle ${first.id} (another vehicle)`);
  expect(message).toContain('- The box is not connected: there is no radio coverage.');
  expect(stack?.split('\n').find((line) => line.startsWith('    at'))).toContain('library-messages.test.ts');
}, 30_000);

test('a wait for an event whose feature is off says so, and one that began too late as well', async () => {
  const vehicle = service.vehicle(2);
  const [off, late] = await Promise.all([
    failureOf(service.nextMessage({ type: 'SmokeDetected', vehicle }, { within: '1s' })),
    (async () => {
      const change = service.nextMessage({ type: 'VehicleDataChanged', vehicle });
      await service.call('PATCH', `/vehicles/${vehicle.id}`, { tags: ['late'] });
      await change;
      return failureOf(service.nextMessage({ type: 'VehicleDataChanged', vehicle }, { within: '500ms' }));
    })(),
  ]);
  expect(off.message).toContain(
    `PUT /vehicles/${vehicle.id}/telematics-unit/feature-configuration/smoke-detection turns that on`,
  );
  expect(late.message).toMatch(/One arrived \d\.\d s before the wait began/);
}, 30_000);

test('a span that is none is refused, and so is a vehicle that is none', async () => {
  expect((await failureOf(service.nextMessage({}, { within: '5 sec' }))).message).toContain(
    'within: a span of time such as 5s or 1m30s, not "5 sec".',
  );
  expect(() => service.vehicle(7)).toThrow('There is no vehicle 7: the fleet has 3, from 0.');
});
