import { describe, expect, test } from 'vitest';
import type { FleetBox } from '../../simulator/box/fleet-box.ts';
import { TestFleet } from '../support/simulation/test-fleet.ts';

type Body = Readonly<Record<string, unknown>>;
interface Answer {
  readonly status: number;
  readonly flowId: string | null;
  readonly body: Body;
}

/** A fleet of six, of which the third is a parked car and the sixth a parked moped. */
async function raised() {
  const fleet = new TestFleet({ seed: 33, vehicles: 6 });
  const { world } = fleet;
  await world.run(() => fleet.raise());
  await world.runFor(30_000);
  const token = await world.run(() => fleet.token());
  const boxOf = (index: number): FleetBox => {
    const box = fleet.boxes[index];
    if (box === undefined) throw new Error(`there is no vehicle ${index}`);
    return box;
  };
  const command = async (box: FleetBox, path: string): Promise<Answer> => {
    const response = await world.run(() =>
      fleet.call('POST', `/vehicles/${box.plan.vehicleId}/${path}`, token),
    );
    const text = await response.text();
    const body = text === '' ? {} : (JSON.parse(text) as Body);
    return { status: response.status, flowId: response.headers.get('x-service-flow-id'), body };
  };
  const values = ({ body }: Answer) =>
    Object.fromEntries(
      Object.entries(body).map(([name, property]) => [name, (property as { value: unknown }).value]),
    );
  return { fleet, world, car: boxOf(2), moped: boxOf(5), driven: boxOf(0), command, values };
}

/** The messages of a vehicle in the queue that a command with this flow id has caused. */
function causedBy(fleet: TestFleet, flowId: string | null): readonly Body[] {
  return fleet
    .messages()
    .map(({ body }) => body as { data: Body })
    .map(({ data }) => data)
    .filter((data) => (data['triggered_by'] as Body | undefined)?.['correlation_id'] === flowId);
}

describe('a vehicle command', () => {
  test('moves what it names and answers with the state that follows, on a car', async () => {
    const { fleet, world, car, command, values } = await raised();
    const steps = [
      ['unlock-central-lock', { central_lock: 'UNLOCKED', driving_enabled: false }],
      ['enable-driving', { central_lock: 'UNLOCKED', driving_enabled: true }],
      ['disable-driving', { driving_enabled: false }],
      ['lock-central-lock', { central_lock: 'LOCKED' }],
      ['unlock-and-enable-driving', { central_lock: 'UNLOCKED', driving_enabled: true }],
      ['lock-and-disable-driving', { central_lock: 'LOCKED', driving_enabled: false }],
      ['request-vehicle-state', { central_lock: 'LOCKED', driving_enabled: false, doors_status: 'CLOSED' }],
    ] as const;
    for (const [name, state] of steps) {
      const answer = await command(car, `commands/${name}`);
      expect(answer.status, name).toBe(200);
      expect(values(answer), name).toMatchObject(state);
      expect(car.truth(), name).toMatchObject({
        locked: values(answer)['central_lock'] === 'LOCKED',
        drivingEnabled: values(answer)['driving_enabled'],
      });
      await world.runFor(1_000);
      const caused = causedBy(fleet, answer.flowId);
      expect(caused, name).toHaveLength(1);
      expect(caused[0]?.['triggered_by']).toEqual({
        channel: 'API_COMMAND',
        correlation_id: answer.flowId,
      });
      expect(caused[0]?.['vehicle_state'], name).toMatchObject(answer.body);
    }
    expect((await command(car, 'commands/unlock-top-case')).status).toBe(409);
    await world.run(() => fleet.close());
  });

  test('moves what it names and answers with the state that follows, on a moped', async () => {
    const { fleet, world, moped, command, values } = await raised();
    const state = await command(moped, 'commands/request-vehicle-state');
    expect(values(state)).toMatchObject({
      ignition: 'OFF',
      center_stand_position: 'EXTENDED',
      top_case_lid: 'CLOSED',
      top_case_lock: 'LOCKED',
      driving_enabled: false,
    });
    expect(values(state)).not.toHaveProperty('central_lock');
    expect(values(await command(moped, 'commands/unlock-top-case'))).toMatchObject({
      top_case_lock: 'UNLOCKED',
    });
    moped.openTopCase(true);
    const refused = await command(moped, 'commands/lock-top-case');
    expect(refused).toMatchObject({ status: 409, body: { type: '/problems/vehicle/conflicting-state' } });
    expect(refused.body['detail']).toContain('the top case is open');
    moped.openTopCase(false);
    expect(values(await command(moped, 'commands/lock-top-case'))).toMatchObject({ top_case_lock: 'LOCKED' });
    expect((await command(moped, 'commands/draw-attention')).status).toBe(200);
    expect(moped.truth()).toMatchObject({ lightsFlash: true, hornSounds: true });
    await world.runFor(10_000);
    expect(moped.truth()).toMatchObject({ lightsFlash: false, hornSounds: false });
    expect((await command(moped, 'commands/unlock-battery-compartment')).status).toBe(200);
    expect(moped.truth()).toMatchObject({ compartmentLocked: false });
    expect((await command(moped, 'commands/enable-driving')).status).toBe(200);
    moped.drive();
    await world.runFor(120_000);
    expect(moped.truth()).toMatchObject({ standExtended: false, compartmentLocked: true, ignitionOn: true });
    moped.park();
    await world.runFor(60_000);
    const parked = await command(moped, 'commands/request-vehicle-state');
    expect(values(parked)).toMatchObject({ ignition: 'OFF', center_stand_position: 'EXTENDED' });
    expect((await command(moped, 'commands/unlock-and-enable-driving')).body['type']).toBe(
      '/problems/vehicle/command-not-supported',
    );
    await world.run(() => fleet.close());
  });

  test('fails completely if one part is jammed, names it, and works again once it is repaired', async () => {
    const { fleet, world, car, command } = await raised();
    car.setMechanics({ immobilizer: 'jammed' });
    const failed = await command(car, 'commands/unlock-and-enable-driving');
    expect(failed).toMatchObject({ status: 500, body: { type: '/problems/telematics-unit/error' } });
    expect(failed.body['detail']).toContain('the immobilizer did not switch; the central lock was put back');
    expect(car.truth()).toMatchObject({ locked: true, drivingEnabled: false });
    car.setMechanics({ lock: 'failing' });
    const halved = await command(car, 'commands/unlock-and-enable-driving');
    expect(halved.body['detail']).toContain('the central lock stays unlocked');
    expect(car.truth()).toMatchObject({ locked: false, drivingEnabled: false });
    car.setMechanics({ lock: 'works', immobilizer: 'works' });
    expect((await command(car, 'commands/unlock-and-enable-driving')).status).toBe(200);
    car.openDoor(true);
    const open = await command(car, 'commands/lock-and-disable-driving');
    expect(open).toMatchObject({ status: 409, body: { type: '/problems/vehicle/conflicting-state' } });
    expect(open.body['detail']).toContain('a door is open');
    expect(car.truth()).toMatchObject({ drivingEnabled: true });
    await world.run(() => fleet.close());
  });

  test('that locks or disables driving is refused while the vehicle moves', async () => {
    const { fleet, world, driven, command } = await raised();
    for (let tries = 0; tries < 100 && driven.truth()['speedKph'] === 0; tries += 1)
      await world.runFor(1_000);
    const refused = await command(driven, 'commands/disable-driving');
    expect(refused.body).toMatchObject({ status: 409, type: '/problems/vehicle/conflicting-state' });
    expect((await command(driven, 'commands/request-vehicle-state')).status).toBe(200);
    await world.run(() => fleet.close());
  });
});

describe('a box that misbehaves', () => {
  test('with an internal fault gives a 500 with its error text, for every kind of command, until it is repaired', async () => {
    const { fleet, world, car, command } = await raised();
    car.setFault({ text: 'output driver over temperature', isPassing: false });
    for (const path of [
      'box-commands/request-system-status',
      'box-commands/ble-reset',
      'commands/unlock-central-lock',
    ]) {
      const { status, body } = await command(car, path);
      expect([status, body['type']], path).toEqual([500, '/problems/telematics-unit/error']);
      expect(body['detail']).toContain('output driver over temperature');
    }
    car.setFault(undefined);
    expect((await command(car, 'box-commands/request-system-status')).status).toBe(200);
    await world.run(() => fleet.close());
  });

  test('that hangs gives a 504, and carries out nothing late; its watchdog resets it', async () => {
    const { fleet, world, car, command } = await raised();
    car.hang(30_000);
    const silent = await command(car, 'commands/unlock-central-lock');
    expect(silent).toMatchObject({ status: 504, body: { type: '/problems/vehicle/no-connection' } });
    expect(silent.body['detail']).toContain('did not answer');
    await world.runFor(60_000);
    expect(car.truth()).toMatchObject({ locked: true });
    expect((await command(car, 'commands/unlock-central-lock')).status).toBe(200);
    car.hang(600_000);
    await world.runFor(150_000);
    expect(car.snapshot()).toMatchObject({ resetReason: 'WATCHDOG', session: 'ready' });
    expect((await command(car, 'commands/lock-central-lock')).status).toBe(200);
    await world.run(() => fleet.close());
  });

  test('whose firmware a workshop changes is not ready meanwhile, and keeps the firmware over a reset', async () => {
    const { fleet, world, car, command } = await raised();
    expect((await command(car, 'box-commands/activate-workshop-mode')).status).toBe(204);
    car.putFirmware([2, 23]);
    await world.runFor(1_000);
    const updating = await command(car, 'commands/request-vehicle-state');
    expect(updating).toMatchObject({ status: 409, body: { type: '/problems/conflicting-resource' } });
    await world.runFor(60_000);
    car.reset('USER');
    await world.runFor(60_000);
    expect(car.snapshot()).toMatchObject({ firmware: '2.23' });
    const old = await command(car, 'box-commands/deactivate-workshop-mode');
    expect(old.body).toMatchObject({ status: 409, type: '/problems/incompatible-firmware-version' });
    expect(old.body['detail']).toContain('2.24');
    car.putFirmware([2, 31]);
    await world.runFor(60_000);
    expect((await command(car, 'box-commands/deactivate-workshop-mode')).status).toBe(204);
    await world.run(() => fleet.close());
  });
});
