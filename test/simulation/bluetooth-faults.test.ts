import { describe, expect, test } from 'vitest';
import { BLUETOOTH_ACTIONS } from '../../protocol/bluetooth.ts';
import type { FleetBox } from '../../simulator/box/fleet-box.ts';
import { runInSandbox } from '../../world/sandbox/virtual-sandbox.ts';
import { TestFleet } from '../support/simulation/test-fleet.ts';
import { NetworkSwitches } from '../support/world/network-switches.ts';

/** What became of it. */
interface BluetoothFaultsResult {
  /** Answers to phones, by outcome. */
  readonly answers: Readonly<Record<string, number>>;
  /** Accesses that were answered while their box was without a network. */
  readonly offline: number;
  /** Accesses of which the phone heard nothing, because a reset cut it off, and whose end was told after it. */
  readonly settled: number;
  /** Sentences about what went wrong; empty when nothing did. */
  readonly findings: readonly string[];
  readonly hash: string;
}

const HEAL_MS = 10 * 60_000;

interface MessageBody {
  readonly metadata: { readonly message_id: string };
  readonly data: {
    readonly vehicle_id: string;
    readonly triggered_by?: { readonly channel: string; readonly correlation_id: string };
    readonly vehicle_state: {
      readonly central_lock?: { readonly timestamp: string; readonly value: string };
    };
  };
}

/** One use of a token that the box said it had carried out. */
interface Use {
  readonly vehicleId: string;
  readonly tokenId: string;
  readonly locked: boolean;
  readonly atMs: number;
}

/**
 * Phones lock and unlock parked vehicles while their boxes lose coverage, links and power, and the service crashes.
 * Then all faults end, and for each access that a box carried out its one message is looked for. Every access has a
 * token of its own.
 */
function runBluetoothFaults(seed: number, steps: number): Promise<BluetoothFaultsResult> {
  const fleet = new TestFleet({ seed, vehicles: 6 });
  return runInSandbox(fleet.world, () => fleet.world.run(() => play(fleet, steps)));
}

async function play(fleet: TestFleet, steps: number): Promise<BluetoothFaultsResult> {
  const { world } = fleet;
  const switches = new NetworkSwitches(world.networkFaults);
  const chance = world.random.stream('bluetooth-hour');
  const answers: Record<string, number> = {};
  const uses: Use[] = [];
  const silent = new Set<string>();
  const findings: string[] = [];
  let offline = 0;
  const wait = (durationMs: number) =>
    new Promise<void>((resolve) => {
      world.time.alarm(world.time.nowMs() + durationMs, resolve);
    });
  await fleet.raise();
  await wait(20_000);
  const boxes = fleet.boxes.filter((box) => box.truth()['locked'] !== undefined);
  for (const box of boxes) box.park();
  await wait(60_000);

  const access = async (box: FleetBox) => {
    const locked = chance.whole(0, 1) === 1;
    const token = box.bluetooth.issueToken({
      allows: BLUETOOTH_ACTIONS.map((row) => row.name),
      uses: 1,
      validForMs: 30 * 60_000,
    });
    if (token === undefined) return;
    const isOffline = box.snapshot()['session'] !== 'ready';
    const { outcome } = await box.bluetooth.usePhone(token.text, locked ? 'lock' : 'unlock');
    answers[outcome] = (answers[outcome] ?? 0) + 1;
    const { vehicleId } = box.plan;
    if (outcome === 'silent') silent.add(token.id);
    if (outcome !== 'done') return;
    uses.push({ vehicleId, tokenId: token.id, locked, atMs: world.time.nowMs() });
    if (box.truth()['locked'] !== locked) findings.push(`${vehicleId} does not stand as ${token.id} left it`);
    if (isOffline) offline += 1;
    const again = await box.bluetooth.usePhone(token.text, 'unlock');
    if (again.outcome === 'done') findings.push(`${vehicleId} took ${token.id} twice`);
  };
  for (let step = 0; step < steps; step += 1) {
    await wait(chance.whole(1_000, 20_000));
    const box = chance.pick(boxes);
    const what = chance.whole(0, 99);
    if (what < 60) await access(box);
    else if (what < 70) box.cutConnection();
    else if (what < 80) box.setCoverage(chance.whole(0, 3) === 0);
    else if (what < 83) {
      // In the middle of what the phone asked for: the box settles it when it is up again.
      const asked = access(box);
      box.reset('WATCHDOG');
      await asked;
    } else if (what < 86) {
      box.reset('WATCHDOG');
      await access(box);
    } else if (what < 90) box.brownOut();
    else if (what < 95) switches.losePuback(box.plan.boxId);
    else if (what < 98) switches.halfOpen(box.plan.boxId, chance.whole(0, 1) === 1);
    else {
      fleet.crashService();
      await wait(chance.whole(100, 10_000));
      await fleet.restartService();
    }
  }
  for (const box of boxes) {
    box.setCoverage(true);
    switches.halfOpen(box.plan.boxId, false);
  }
  await wait(HEAL_MS);
  const { settled, wrong } = differences(fleet, uses, silent);
  findings.push(...wrong);
  await fleet.close();
  return { answers, offline, settled, findings, hash: world.hash() };
}

/** Each access in exactly one message, which tells how the vehicle stood and when; and no other message of the kind. */
function differences(
  fleet: TestFleet,
  uses: readonly Use[],
  silent: ReadonlySet<string>,
): { readonly settled: number; readonly wrong: readonly string[] } {
  const findings: string[] = [];
  const told = new Map<string, Map<string, MessageBody>>();
  for (const { body } of fleet.messages()) {
    const message = body as MessageBody;
    const { triggered_by: trigger } = message.data;
    if (trigger?.channel !== 'BLUETOOTH') continue;
    const ofToken = told.get(trigger.correlation_id) ?? new Map<string, MessageBody>();
    // At least once on the way out: a repeated message has the same id.
    told.set(trigger.correlation_id, ofToken.set(message.metadata.message_id, message));
  }
  for (const { vehicleId, tokenId, locked, atMs } of uses) {
    const [message, ...more] = told.get(tokenId)?.values() ?? [];
    if (message === undefined) findings.push(`no message tells of ${tokenId}`);
    if (more.length > 0) findings.push(`${more.length + 1} messages tell of ${tokenId}`);
    const { data } = message ?? {};
    const lock = data?.vehicle_state.central_lock;
    if (data !== undefined && data.vehicle_id !== vehicleId) findings.push(`${tokenId} is told of another`);
    if (lock !== undefined && (lock.value === 'LOCKED') !== locked)
      findings.push(`${tokenId}: ${lock.value}`);
    const apartMs = lock === undefined ? 0 : Math.abs(Date.parse(lock.timestamp) - atMs);
    if (apartMs > 2_000) findings.push(`${tokenId} is told ${apartMs} ms apart from when it was`);
    told.delete(tokenId);
  }
  for (const [tokenId, messages] of told) {
    if (!silent.has(tokenId)) findings.push(`a message tells of ${tokenId}, which opened nothing`);
    if (messages.size > 1) findings.push(`${messages.size} messages tell of ${tokenId}`);
  }
  return { settled: told.size, wrong: findings };
}

describe('an hour of phones next to vehicles whose boxes connect and disconnect', () => {
  test.each([1, 2, 3])(
    'with seed %i each completed access is in exactly one message, with its time',
    async (seed) => {
      const { answers, offline, settled, findings } = await runBluetoothFaults(seed, 360);
      expect(findings).toEqual([]);
      expect(answers['done']).toBeGreaterThan(50);
      expect(answers['silent']).toBeGreaterThan(0);
      expect(offline).toBeGreaterThan(20);
      expect(settled).toBeGreaterThan(0);
    },
    120_000,
  );

  test('has the same trace hash when repeated', async () => {
    expect((await runBluetoothFaults(4, 60)).hash).toBe((await runBluetoothFaults(4, 60)).hash);
  });
});
