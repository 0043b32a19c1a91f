import { describe, expect, test } from 'vitest';
import { encodeFrame } from '../../protocol/codec/frame.ts';
import { RESET_REASONS } from '../../protocol/codes.ts';
import { topics } from '../../protocol/topics.ts';
import { limits } from '../../simulator/limits.ts';
import { runInSandbox } from '../../world/sandbox/virtual-sandbox.ts';
import { sleep } from '../../world/time/time.ts';
import { expectPassed } from '../support/simulation/expect-passed.ts';
import { TestFleet } from '../support/simulation/test-fleet.ts';

/** The parked vehicle of a small fleet, and the service that it belongs to. */
async function withParked<T>(play: (scene: Scene) => Promise<T>): Promise<T> {
  const fleet = new TestFleet({ seed: 4, vehicles: 3 });
  return runInSandbox(fleet.world, () =>
    fleet.world.run(async () => {
      await fleet.raise();
      for (const box of fleet.boxes) box.park();
      const scene = new Scene(fleet);
      await scene.settled();
      const result = await play(scene);
      await fleet.close();
      return result;
    }),
  );
}

class Scene {
  readonly fleet: TestFleet;

  constructor(fleet: TestFleet) {
    this.fleet = fleet;
  }

  get box() {
    const box = this.fleet.boxes[2];
    if (box === undefined) throw new Error('The fleet has no third vehicle.');
    return box;
  }

  wait = (durationMs: number): Promise<void> => sleep(this.fleet.world.time, durationMs);

  /** Sends the box receipts of a journal that it never had. */
  async sendStrays(count: number): Promise<void> {
    const { mqtt } = this.fleet.world.instance('somebody');
    const session = await mqtt.open(
      {
        clientId: 'somebody',
        username: 'backend',
        password: 'backend of the theatre',
        clean: true,
        keepAliveS: 60,
        connectTimeoutMs: 10_000,
      },
      { message: (_topic, _payload, _retained, acknowledge) => acknowledge(), closed: () => undefined },
    );
    const message = { kind: 'receipt', contiguous: 1, ranges: [] } as const;
    const clockMs = this.fleet.world.time.nowMs();
    const frame = encodeFrame({ generation: 1, epoch: 1, boot: 0, sequence: 0, clockMs, message });
    const payload = Buffer.concat(Array.from({ length: 50 }, () => frame));
    for (let sent = 0; sent < count; sent += 50)
      await session.publish({ topic: topics.down(this.box.plan.boxId), payload, retain: false });
    await session.end();
  }

  async until(what: string, isSo: (belief: Record<string, unknown>) => boolean, mostMs = 600_000) {
    const end = this.fleet.world.time.nowMs() + mostMs;
    while (!isSo(this.box.snapshot())) {
      if (this.fleet.world.time.nowMs() > end)
        throw new Error(`Never ${what}: ${JSON.stringify(this.box.snapshot())}`);
      await this.wait(mostMs > 600_000 ? 5_000 : 50);
    }
  }

  settled(): Promise<void> {
    return this.until('ready', ({ session, power }) => session === 'ready' && power === 'up').then(() =>
      this.wait(2_000),
    );
  }

  async command(name: string): Promise<Response> {
    const path = `/vehicles/${this.box.plan.vehicleId}/box-commands/${name}`;
    return this.fleet.call('POST', path, await this.fleet.token());
  }

  async reason(): Promise<unknown> {
    const response = await this.command('request-system-status');
    return ((await response.json()) as { board_reset_reason?: unknown }).board_reset_reason;
  }

  async firmware(): Promise<unknown> {
    const path = `/vehicles/${this.box.plan.vehicleId}`;
    const response = await this.fleet.call('GET', path, await this.fleet.token());
    return ((await response.json()) as { telematics_unit: { firmware_version: unknown } }).telematics_unit
      .firmware_version;
  }
}

describe('every reset reason', () => {
  /** One row for each: what happens to the box. */
  const CAUSES: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
    GENERAL: async () => undefined,
    SOFTWARE: async ({ box }) => box.putFirmware([2, 33]),
    USER: async ({ box }) => box.reset('USER'),
    WATCHDOG: async (scene) => {
      scene.box.hang(600_000);
      await scene.wait(limits.watchdogMs);
    },
    BROWN_OUT: async (scene) => {
      scene.box.brownOut();
      await scene.wait(1_000);
    },
    UNKNOWN: async (scene) => {
      scene.box.brownOut();
      await scene.until('booting', ({ power }) => power === 'booting');
      scene.box.brownOut();
      await scene.wait(1_000);
    },
    BACKUP: async ({ box }) => box.setSupply('cut'),
    POWER_DOWN_MODE: async (scene) => {
      // The backup battery of the row before is running down.
      scene.box.setSupply('good');
      await scene.wait(10_000);
      scene.box.setSupply('low');
      await scene.until('asleep', ({ power }) => power === 'asleep', 20 * 60_000);
      expect((await scene.command('request-system-status')).status).toBe(409);
      await scene.wait(4 * 60_000);
      expect((await scene.command('request-system-status')).status).toBe(504);
      await scene.wait(3_600_000);
      scene.box.setSupply('good');
    },
  };

  test('follows from its cause, and is in the system status', async () => {
    expect(new Set(Object.keys(CAUSES))).toEqual(new Set(Object.keys(RESET_REASONS)));
    const seen = await withParked(async (scene) => {
      const reasons: [string, unknown][] = [];
      for (const [reason, cause] of Object.entries(CAUSES)) {
        await cause(scene);
        await scene.until('booted', (belief) => belief['resetReason'] === reason);
        await scene.settled();
        reasons.push([reason, await scene.reason()]);
      }
      return reasons;
    });
    for (const [caused, told] of seen) expect(told).toBe(caused);
    expect(seen.length).toBe(8);
  });

  /**
   * The same by what befalls vehicles and boxes, without a lever that acts on the box's power, its processor or its
   * reset: one row for each.
   */
  const BY_NATURE: Readonly<Record<string, (scene: Scene) => Promise<void>>> = {
    GENERAL: async () => undefined,
    USER: async (scene) => {
      expect((await scene.command('board-reset')).status).toBe(204);
    },
    SOFTWARE: async ({ box }) => box.offerUpdate({ version: [2, 38], image: 'right' }),
    // The starter on a weak battery.
    BROWN_OUT: async (scene) => {
      const path = `/vehicles/${scene.box.plan.vehicleId}/commands/unlock-and-enable-driving`;
      expect((await scene.fleet.call('POST', path, await scene.fleet.token())).status).toBe(200);
      scene.box.operate({ kind: 'wear', what: 'starter_battery', percent: 25 });
      scene.box.drive();
    },
    // On an almost empty one, at the second attempt: the box is starting by then.
    UNKNOWN: async ({ box, wait }) => {
      box.park();
      await wait(120_000);
      box.operate({ kind: 'wear', what: 'starter_battery', percent: 8 });
      box.drive();
    },
    // The workshop puts another battery in.
    BACKUP: async ({ box, wait }) => {
      box.park();
      await wait(120_000);
      expect(box.operate({ kind: 'workshop' })).toBeUndefined();
    },
    // Two weeks parked on a weak battery, then driven again.
    POWER_DOWN_MODE: async (scene) => {
      await scene.wait(600_000);
      scene.box.operate({ kind: 'wear', what: 'starter_battery', percent: 25 });
      await scene.until('asleep', ({ power }) => power === 'asleep', 14 * 86_400_000);
      scene.box.drive();
    },
    // Frames that are for another box use up its memory.
    WATCHDOG: async (scene) => {
      scene.box.park();
      await scene.wait(120_000);
      await scene.sendStrays(2_500);
      await scene.wait(limits.watchdogMs);
    },
  };

  test('also occurs without the action of its name', async () => {
    expect(new Set(Object.keys(BY_NATURE))).toEqual(new Set(Object.keys(RESET_REASONS)));
    const seen = await withParked(async (scene) => {
      const reasons: [string, unknown][] = [];
      for (const [reason, cause] of Object.entries(BY_NATURE)) {
        await cause(scene);
        await scene.until(`booted by ${reason}`, (belief) => belief['resetReason'] === reason);
        await scene.settled();
        reasons.push([reason, await scene.reason()]);
      }
      return reasons;
    });
    expect(seen).toEqual(Object.keys(BY_NATURE).map((reason) => [reason, reason]));
  }, 120_000);

  test('a box without supply runs as long as its backup battery, and starts again with the supply', async () => {
    const hours = await withParked(async (scene) => {
      const { time } = scene.fleet.world;
      scene.box.setSupply('cut');
      const begun = time.nowMs();
      await scene.wait(60_000);
      await scene.settled();
      await scene.until('asleep', ({ power }) => power === 'asleep', 12 * 3_600_000);
      const lasted = (time.nowMs() - begun) / 3_600_000;
      scene.box.setSupply('good');
      await scene.settled();
      expect(await scene.reason()).toBe('POWER_DOWN_MODE');
      return lasted;
    });
    expect(hours).toBeGreaterThan(5);
    expect(hours).toBeLessThan(10);
  });
});

describe('an update over the air', () => {
  test('is not ready while it is installed, for less than 3 minutes, and then shows its version', async () => {
    const found = await withParked(async (scene) => {
      const before = await scene.firmware();
      const { time } = scene.fleet.world;
      scene.box.offerUpdate({ version: [2, 38], image: 'right' });
      await scene.until('installing', ({ power }) => power === 'installing');
      const begun = time.nowMs();
      const refused = await scene.command('request-system-status');
      const { type } = (await refused.json()) as { type: string };
      await scene.settled();
      const awayMs = time.nowMs() - begun;
      return { before, type, awayMs, after: await scene.firmware(), reason: await scene.reason() };
    });
    expect(found).toMatchObject({ before: '2.31', after: '2.38', reason: 'SOFTWARE' });
    expect(found.type).toBe('/problems/conflicting-resource');
    expect(found.awayMs).toBeLessThan(180_000);
  });

  test('that fails its self-test keeps the old version, and the vehicle is online again in less than 3 minutes', async () => {
    const found = await withParked(async (scene) => {
      scene.box.offerUpdate({ version: [2, 38], image: 'fails-self-test' });
      await scene.until('installing', ({ power }) => power === 'installing');
      const begun = scene.fleet.world.time.nowMs();
      await scene.settled();
      const awayMs = scene.fleet.world.time.nowMs() - begun;
      return { awayMs, after: await scene.firmware(), update: scene.box.snapshot()['update'] };
    });
    expect(found).toMatchObject({ after: '2.31', update: { outcome: 'rolled-back' } });
    expect(found.awayMs).toBeLessThan(180_000);
  });

  test('continues where it stopped after lost coverage and a power cut', async () => {
    const after = await withParked(async (scene) => {
      scene.box.offerUpdate({ version: [2, 40], image: 'right' });
      await scene.wait(6_000);
      scene.box.setCoverage(false);
      await scene.wait(3_600_000);
      scene.box.setCoverage(true);
      await scene.until('installing', ({ power }) => power === 'installing');
      scene.box.brownOut();
      await scene.settled();
      await scene.until('updated', ({ firmware }) => firmware === '2.40');
      await scene.settled();
      return scene.firmware();
    });
    expect(after).toBe('2.40');
  });
});

test('a going-down that the broker delivers again after the box has come back changes nothing', () =>
  expectPassed(`name: going-down-delivered-again
about: The backend's link stalls while a box installs an update, so the broker delivers its going-down again.
seed: 1551948488
fleet:
  - { features: none }
  - { as: updated, driving: false, features: none }
steps:
  - { at: 1500ms, on: updated, update: { version: "2.30" } }
  - { at: 31500ms, break: { backend: { stall: {} } }, for: 1m }
  - { at: 5m, on: updated, expect: { connected: true } }
always: all
`));
