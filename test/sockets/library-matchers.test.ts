import { expect, test } from 'vitest';
import { boxtwin } from '../../library/vitest.ts';

const service = boxtwin({ seed: 1, vehicles: 2, answerTimeoutS: 3 });

const failureOf = async (promise: Promise<unknown>) =>
  (await promise.catch((error: unknown) => error)) as Error;
const command = (id: string, name: string) => service.call('POST', `/vehicles/${id}/commands/${name}`);

test('what is true of a vehicle is expected of it, and of its box', async () => {
  const vehicle = service.vehicle();
  const box = service.box(vehicle);
  await box.park();
  await expect(vehicle).toHaveState({ speed_in_kph: 0 }, { within: '20s' });
  await command(vehicle.id, 'unlock-central-lock');
  await expect(vehicle).toBeUnlocked();
  await command(vehicle.id, 'lock-central-lock');
  await expect(box).toBeLocked();
  await expect(vehicle).not.toBeUnlocked();
  await expect(vehicle).toHaveState({ central_lock: 'LOCKED' });
  expect((await service.state(vehicle)).central_lock?.value).toBe('LOCKED');
}, 60_000);

test('a failure shows vehicle, box and service side by side, and why they differ', async () => {
  const vehicle = service.vehicle(1);
  await service.box(vehicle).coverage(false);
  await expect(vehicle).not.toBeConnected({ within: '20s' });
  const { message, stack } = await failureOf(expect(vehicle).toBeConnected({ within: '200ms' }));
  await service.box(vehicle).coverage(true);
  expect(message).toContain(`Expected that vehicle ${vehicle.id} is connected within 200ms.`);
  expect(message).toMatch(/^ +vehicle +box +service$/m);
  expect(message).toMatch(/^ {2}central_lock +(UN)?LOCKED +\S+ +(no value|(UN)?LOCKED \(\d+ s ago\))$/m);
  expect(message).toMatch(/^ {2}connection +no coverage +not connected \(up, session down\) /m);
  expect(message).toContain('The box is not connected: there is no radio coverage.');
  expect(stack).toContain('library-matchers.test.ts');
  await expect(vehicle).toBeConnected({ within: '30s' });
}, 60_000);

test('a failure names the last call and action for the vehicle, with their answers', async () => {
  const vehicle = service.vehicle();
  const other = service.vehicle(1);
  const box = service.box(vehicle);
  await box.coverage(false);
  await expect(vehicle).not.toBeConnected({ within: '20s' });
  await command(vehicle.id, 'unlock-central-lock');
  await service.call('GET', `/vehicles/${vehicle.id}`);
  await service.call('PATCH', `/vehicles/${other.id}`, { tags: ['other'] });
  const late = await failureOf(expect(box).toBeUnlocked({ within: '100ms' }));
  const missed = await failureOf(service.nextMessage({ vehicle }, { within: '100ms' }));
  await box.coverage(true);
  const line = `last call: POST /vehicles/${vehicle.id}/commands/unlock-central-lock → `;
  for (const { message } of [late, missed]) {
    expect(message).toContain(`${line}504 /problems/vehicle/no-connection: `);
    expect(message).toContain(`last action: POST /boxes/${vehicle.id}/coverage {"available":false} → done`);
    expect(message).not.toContain(other.id);
  }
  await expect(vehicle).toBeConnected({ within: '30s' });
}, 60_000);

test('a state that the service does not have is told with the one that it has', async () => {
  const vehicle = service.vehicle();
  const { message } = await failureOf(
    expect(vehicle).toHaveState({ central_lock: 'UNLOCKED', speed_in_kph: 50 }, { within: '200ms' }),
  );
  expect(message).toContain('The service has central_lock LOCKED, expected UNLOCKED.');
  expect(message).toContain('The service has speed_in_kph 0, expected 50.');
  // What a model does not report is not waited for.
  const never = await failureOf(expect(vehicle).toHaveState({ sunroof_status: 'OPEN' }, { within: '1h' }));
  expect(never.message).toContain('A vehicle of the model petrol-compact does not report sunroof_status');
  // @ts-expect-error: no property has this value.
  void (() => expect(vehicle).toHaveState({ central_lock: 'OPEN' }));
});

test('an id or a copy is refused, as nothing could be read by it', async () => {
  const { message } = await failureOf(expect({ ...service.vehicle() }).toBeLocked());
  expect(message).toContain('This is no vehicle of a running service.');
});
