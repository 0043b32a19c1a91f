import { describe, expect, test } from 'vitest';
import { makeMakerClient } from '../../../../backend/third-party/client.ts';
import { makeMakerCommands } from '../../../../backend/third-party/maker-commands.ts';
import { northwind } from '../../../../backend/third-party/northwind.ts';
import { ServiceWithMakerCloud } from '../../../support/backend/service-with-maker-cloud.ts';

describe("a command to a vehicle behind its maker's cloud", () => {
  test('acts on the car, is answered with the resulting state, and leads to one message that names it', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      const before = stage.messages(stage.parked).length;
      const { status, body, tookMs } = await stage.command(stage.parked, 'unlock-and-enable-driving');
      expect(status).toBe(200);
      expect(body).toMatchObject({
        central_lock: { value: 'UNLOCKED' },
        driving_enabled: { value: true },
        doors_status: { value: 'CLOSED' },
      });
      expect(tookMs).toBeLessThan(200);
      expect(stage.parked.truth()).toMatchObject({ locked: false, drivingEnabled: true });
      await stage.wait(1_000);
      const { state } = await stage.vehicle(stage.parked);
      expect(state['central_lock']).toMatchObject({ value: 'UNLOCKED' });
      const [message, ...more] = stage.messages(stage.parked).slice(before);
      expect(more).toEqual([]);
      expect(message?.data.triggered_by).toEqual({
        channel: 'API_COMMAND',
        correlation_id: message?.metadata.flow_id,
      });
      expect(message?.data.vehicle_state.central_lock?.value).toBe('UNLOCKED');
    }));

  test('that the maker does not offer, or that is for boxes, is not supported', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      for (const [family, name] of [
        ['commands', 'unlock-top-case'],
        ['commands', 'unlock-battery-compartment'],
        ['box-commands', 'ble-reset'],
        ['box-commands', 'request-system-status'],
        ['box-commands', 'activate-workshop-mode'],
        ['box-connectivity-commands', 'request-sim-activation'],
      ] as const) {
        const { status, type } = await stage.refusal(stage.parked, name, family);
        expect({ status, type }, name).toEqual({ status: 409, type: 'vehicle/command-not-supported' });
      }
    }));

  test('conflicts while another one of the vehicle is open', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      stage.calls({ manner: 'slow', delay_in_milliseconds: 5_000 });
      const first = stage.command(stage.parked, 'unlock-central-lock');
      await stage.wait(1_000);
      const second = await stage.refusal(stage.parked, 'lock-central-lock');
      expect(second).toMatchObject({ status: 409, type: 'vehicle/conflicting-command' });
      expect((await first).status).toBe(200);
    }));

  test('to a parked vehicle is not refused because of an older state from while it drove', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      await stage.wait(58_000);
      while (!stage.driving.isMoving) await stage.wait(500);
      stage.push(false);
      stage.driving.change((vehicle) => vehicle.park());
      while (stage.driving.isMoving) await stage.wait(500);
      expect((await stage.command(stage.driving, 'lock-central-lock')).status).toBe(200);
    }));

  test('conflicts with the state of a moving vehicle, as reported by its maker', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      stage.push(false);
      await stage.wait(58_000);
      while (!stage.driving.isMoving) await stage.wait(500);
      // What the service last heard is too old to judge by.
      stage.calls({ manner: 'error', status: 500 });
      await stage.wait(90_000);
      while (!stage.driving.isMoving) await stage.wait(500);
      stage.calls({ manner: 'right' });
      const { status, type, detail } = await stage.refusal(stage.driving, 'disable-driving');
      expect({ status, type }).toEqual({ status: 409, type: 'vehicle/conflicting-state' });
      expect(detail).toContain('CAR_IN_MOTION');
    }));

  test('whose part does not move is a third-party error with the text of the maker, and moves nothing', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      stage.parked.change((vehicle) => vehicle.setMechanics({ lock: 'jammed' }));
      const { status, type, detail } = await stage.refusal(stage.parked, 'unlock-and-enable-driving');
      expect({ status, type }).toEqual({ status: 502, type: 'third-party/error' });
      expect(detail).toContain("status 409, 'PART_STUCK'");
      expect(stage.parked.truth()).toMatchObject({ locked: true, drivingEnabled: false });
    }));

  test('of two parts carries out neither if the second one fails', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      await stage.command(stage.parked, 'unlock-and-enable-driving');
      stage.parked.change((vehicle) => vehicle.setMechanics({ immobilizer: 'jammed' }));
      const { status } = await stage.refusal(stage.parked, 'lock-and-disable-driving');
      expect(status).toBe(502);
      expect(stage.parked.truth()).toMatchObject({ locked: false, drivingEnabled: true });
    }));

  test('is a third-party error if the maker fails, and the error does not contain the key', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      stage.calls({ manner: 'error', status: 500 });
      const { status, type, detail } = await stage.refusal(stage.parked, 'unlock-central-lock');
      expect({ status, type }).toEqual({ status: 502, type: 'third-party/error' });
      expect(detail).toContain("northwind answered with an error: status 500, 'OUT_OF_ORDER'");
      expect(detail).not.toContain('key-northwind');
    }));

  test('is a third-party error if the answer has an invalid format', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      stage.calls({ manner: 'nonsense' });
      const { status, type, detail } = await stage.refusal(stage.parked, 'unlock-central-lock');
      expect({ status, type }).toEqual({ status: 502, type: 'third-party/error' });
      expect(detail).toContain('may have been carried out');
    }));

  test('waits for a short rate limit, and names a longer one as the cause', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      stage.calls({ manner: 'rate-limit', retry_after_in_seconds: 2 });
      const brief = stage.command(stage.parked, 'unlock-central-lock');
      await stage.wait(1_000);
      stage.calls({ manner: 'right' });
      const { status, tookMs } = await brief;
      expect(status).toBe(200);
      expect(tookMs).toBeGreaterThan(2_000);
      stage.calls({ manner: 'rate-limit', retry_after_in_seconds: 30 });
      const long = await stage.refusal(stage.parked, 'lock-central-lock');
      expect(long).toMatchObject({ status: 502, type: 'third-party/error' });
      expect(long.detail).toContain('rate limit');
      expect(long.detail).toContain('30 s');
    }));

  test.each([true, false])('that the maker is silent on may have been carried out (it was: %s)', (acts) =>
    ServiceWithMakerCloud.on(async (stage) => {
      stage.calls({ manner: 'silence', after_acting: acts });
      const { status, type, detail, tookMs } = await stage.refusal(stage.parked, 'unlock-central-lock');
      expect({ status, type }).toEqual({ status: 504, type: 'vehicle/no-connection' });
      expect(detail).toContain('did not answer');
      expect(detail).toContain('may have been carried out');
      expect(tookMs).toBeGreaterThanOrEqual(20_000);
      expect(tookMs).toBeLessThan(20_010);
      expect(stage.parked.truth()['locked']).toBe(!acts);
      // The next poll finds out.
      stage.calls({ manner: 'right' });
      await stage.wait(16 * 60_000);
      const { state } = await stage.vehicle(stage.parked);
      expect(state['central_lock']?.value).toBe(acts ? 'UNLOCKED' : 'LOCKED');
    }),
  );

  test('was not sent if the maker is unreachable', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      stage.fleet.world.origins.serve('http://northwind.virtual', () => Promise.reject(new Error()))();
      const { status, type, detail } = await stage.refusal(stage.parked, 'unlock-central-lock');
      expect({ status, type }).toEqual({ status: 504, type: 'vehicle/no-connection' });
      expect(detail).toContain('was not sent');
    }));

  test('was not sent if the store took so long that its time was over', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      const { world, store } = stage.fleet;
      const remote = { baseUrl: 'http://northwind.virtual', apiKey: 'key-northwind' };
      const commands = makeMakerCommands({
        world,
        commands: {
          open: async (command) => {
            const opened = await store.commands.open(command);
            await stage.wait(20_000);
            return opened;
          },
          giveUp: (requestId, atMs) => store.commands.giveUp(requestId, atMs),
          withdraw: (requestId, atMs) => store.commands.withdraw(requestId, atMs),
        },
        store: store.thirdParty,
        clients: new Map([[northwind.name, makeMakerClient(world, northwind, remote)]]),
        receiveReport: () => Promise.resolve('stored'),
        answerTimeoutMs: 20_000,
      });
      const answer = await commands.execute({
        vehicle: await stage.vehicle(stage.parked),
        command: 'unlock-central-lock',
        flowId: world.ids.uuid(),
        objection: undefined,
      });
      expect(answer).toMatchObject({ done: false, refusal: { problem: 'no-connection' } });
      expect(JSON.stringify(answer)).toContain('The command was not sent.');
      await stage.wait(1_000);
      expect(stage.parked.truth()).toMatchObject({ locked: true });
    }));

  test('to a sleeping car does not reach it', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      stage.parked.sleep(true);
      const { status, type, detail } = await stage.refusal(stage.parked, 'unlock-central-lock');
      expect({ status, type }).toEqual({ status: 504, type: 'vehicle/no-connection' });
      expect(detail).toContain('did not connect');
      expect(stage.parked.truth()['locked']).toBe(true);
      stage.parked.sleep(false);
      expect((await stage.command(stage.parked, 'unlock-central-lock')).status).toBe(200);
    }));
});
