import { isDeepStrictEqual } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { StoredRecord } from '../../backend/store/port/ingest-store.ts';
import { RECEIPT_KINDS } from '../../judge/checkers.ts';
import { readJournals } from '../../judge/rules/journal-recording.ts';
import type { FleetBox } from '../../simulator/box/fleet-box.ts';
import { runInSandbox } from '../../world/sandbox/virtual-sandbox.ts';
import { sleep } from '../../world/time/time.ts';
import { TestFleet } from '../support/simulation/test-fleet.ts';

/** What became of a vehicle that was out of coverage for days. */
interface DaysOfflineResult {
  /** In the journal when coverage came back. */
  readonly held: Journal;
  /** From coverage to an empty journal. */
  readonly drainedInS: number;
  /** Stored records of the days, by kind, and how many more the box said it had given up. */
  readonly stored: Readonly<Record<string, number>>;
  readonly lost: number;
  /** How often a door was opened or shut, or the ignition turned. */
  readonly deeds: number;
  /** Sentences about what went wrong; empty when nothing did. */
  readonly findings: readonly string[];
}

type Journal = z.infer<typeof journal>;

const journal = z.looseObject({
  next: z.number(),
  held: z.number(),
  report: z.number(),
  event: z.number(),
  tombstone: z.number(),
});
const state = z.record(z.string(), z.unknown());
const message = z.looseObject({
  metadata: z.looseObject({ message_id: z.string() }),
  data: z.looseObject({ vehicle_id: z.string(), vehicle_state: state }),
});
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * One vehicle without coverage for so many days. It is driven an hour each day and parked in between, which makes
 * more reports than its journal holds. Then coverage comes back, and so does a service that was down.
 */
function runDaysOffline(seed: number, days: number): Promise<DaysOfflineResult> {
  const fleet = new TestFleet({ seed, vehicles: 1 });
  return runInSandbox(fleet.world, () => fleet.world.run(() => play(fleet, days)));
}

async function play(fleet: TestFleet, days: number): Promise<DaysOfflineResult> {
  const { time } = fleet.world;
  await fleet.raise();
  const [box] = fleet.boxes;
  if (box === undefined) throw new Error('The fleet is empty.');
  await sleep(time, 10_000);
  await track(fleet, box);
  box.park();
  await sleep(time, 120_000);
  box.setCoverage(false);
  const first = journal.parse(box.snapshot()['journal']).next;
  // Nothing of it reaches the service, which is down meanwhile: another incarnation takes what comes then.
  fleet.crashService();
  for (let day = 0; day < days; day += 1) await liveADay(fleet, box);
  await fleet.restartService();
  const held = journal.parse(box.snapshot()['journal']);
  box.setCoverage(true);
  const begun = time.nowMs();
  while (journal.parse(box.snapshot()['journal']).held > 0 && time.nowMs() - begun < HOUR_MS)
    await sleep(time, 250);
  const drainedInS = (time.nowMs() - begun) / 1_000;
  await sleep(time, 60_000);
  const findings = await fleet.findings();
  const records = await recordsOf(fleet, box);
  const ofTheDays = records.filter(({ sequence }) => sequence >= first);
  const stored: Record<string, number> = {};
  for (const { kind } of ofTheDays) stored[kind] = (stored[kind] ?? 0) + 1;
  const result = {
    held,
    drainedInS,
    stored,
    lost: ofTheDays.reduce((sum, record) => sum + record.lost, 0),
    deeds: days * DEEDS_A_DAY,
    findings: [
      ...findings,
      ...(await faultsOf(fleet, ofTheDays, first)),
      ...(await foldFaults(fleet, box, records)),
    ],
  };
  await fleet.close();
  return result;
}

/** Tracking as fine as it goes: a journal fills within three hours of driving. */
async function track(fleet: TestFleet, box: FleetBox): Promise<void> {
  const path = `/vehicles/${box.plan.vehicleId}/telematics-unit/feature-configuration/tracking`;
  const body = { time_interval_in_seconds: 1 };
  const { status } = await fleet.testbed.ask({ method: 'PUT', path, body, as: 'owner' });
  if (status !== 200) throw new Error(`Tracking could not be put: ${status}.`);
}

/** Ignition on and off, a door open and shut. */
const DEEDS_A_DAY = 4;
const DRIVEN_MS = HOUR_MS;

async function liveADay({ world: { time } }: TestFleet, box: FleetBox): Promise<void> {
  box.drive();
  await sleep(time, DRIVEN_MS);
  box.park();
  await sleep(time, 600_000);
  box.openDoor(true);
  await sleep(time, 60_000);
  box.openDoor(false);
  await sleep(time, DAY_MS - DRIVEN_MS - 660_000);
}

async function recordsOf(fleet: TestFleet, box: FleetBox): Promise<readonly StoredRecord[]> {
  const all: StoredRecord[] = [];
  for (;;) {
    const last = all.at(-1);
    const after = last === undefined ? undefined : { epoch: last.epoch, sequence: last.sequence };
    const page = await fleet.store.ingest.records({ boxId: box.plan.boxId, after, limit: 1_000 });
    if (page.length === 0) return all;
    all.push(...page);
  }
}

/** Each sequence is stored or given up, and what was given up are the oldest reports of all. */
async function faultsOf(
  fleet: TestFleet,
  records: readonly StoredRecord[],
  first: number,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const kinds = new Map(records.map(({ sequence, kind }) => [sequence, kind]));
  const buried = new Set<number>();
  const { evidence, vehicles } = fleet.testbed;
  const journals = await Promise.all(
    vehicles.map(async (vehicle) => [
      ...(await readJournals(evidence.frames(vehicle, RECEIPT_KINDS))).values(),
    ]),
  );
  for (const { tombstones } of journals.flat())
    for (const { covers } of tombstones.values())
      for (let [one] = covers; one <= covers[1]; one += 1) buried.add(one);
  const highest = Math.max(...kinds.keys());
  const highestBuried = Math.max(0, ...buried);
  for (let one = first; one <= highest; one += 1) {
    const kind = kinds.get(one);
    if (kind === undefined && !buried.has(one)) faults.push(`lost: ${one} is neither stored nor given up`);
    if (kind !== undefined && buried.has(one)) faults.push(`doubled: ${one} is stored and given up`);
    if ((kind === 'report' || kind === 'heartbeat') && one < highestBuried)
      faults.push(`young: report ${one} is stored, and a later one was given up`);
  }
  return faults;
}

/** The vehicle as the service shows it is all its messages, one over the other in the order of the journal. */
async function foldFaults(
  fleet: TestFleet,
  box: FleetBox,
  records: readonly StoredRecord[],
): Promise<readonly string[]> {
  const said = new Map<string, z.infer<typeof state>>();
  for (const { body } of fleet.messages()) {
    const { metadata, data } = message.parse(body);
    said.set(metadata.message_id, data.vehicle_state);
  }
  const folded: Record<string, unknown> = {};
  for (const { messageId } of records)
    Object.assign(folded, messageId === undefined ? {} : said.get(messageId));
  const response = await fleet.call('GET', `/vehicles/${box.plan.vehicleId}`, await fleet.token());
  const detail = z.looseObject({ latest_vehicle_state: state }).parse(await response.json());
  const shown = detail.latest_vehicle_state;
  return [...new Set([...Object.keys(shown), ...Object.keys(folded)])].flatMap((name) =>
    isDeepStrictEqual(shown[name], folded[name])
      ? []
      : [`other: ${name} is ${JSON.stringify(shown[name])}, and was told as ${JSON.stringify(folded[name])}`],
  );
}

describe('five days without coverage', () => {
  let result: DaysOfflineResult;

  beforeAll(async () => {
    result = await runDaysOffline(3, 5);
  }, 180_000);

  test('fill the journal, which gives up its oldest reports but no events', () => {
    const { held, stored, lost, deeds } = result;
    expect(held.report + held.event).toBe(10_000);
    expect(held.tombstone).toBeGreaterThan(0);
    expect(lost).toBeGreaterThan(500);
    expect(stored['event'] ?? 0).toBeGreaterThanOrEqual(deeds);
  });

  test('are reported in order afterwards, nothing is lost without a tombstone, and the state of the vehicle matches its messages', () => {
    expect(result.findings).toEqual([]);
    expect(result.stored['report'] ?? 0).toBeGreaterThan(9_000);
  });

  test('are delivered within minutes', () => {
    expect(result.drainedInS).toBeLessThan(600);
  });
});
