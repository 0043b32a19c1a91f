import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { StoredRecord } from '../../backend/store/ingest-store.ts';
import { Stage } from '../../scenarios/stage.ts';
import { verdictOf } from '../../scenarios/verdict.ts';
import type { FleetBox } from '../../simulator/fleet.ts';
import { sleep } from '../../world/time.ts';
import { runInSandbox } from '../../world/virtual-sandbox.ts';

/** What became of a vehicle that was out of coverage for days. */
export interface DaysOffline {
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
export function daysOffline(seed: number, days: number): Promise<DaysOffline> {
  const stage = new Stage({ seed, vehicles: 1, isUnconfigured: true });
  return runInSandbox(stage.world, () => stage.world.run(() => play(stage, days)));
}

async function play(stage: Stage, days: number): Promise<DaysOffline> {
  const { time } = stage.world;
  await stage.raise();
  const [box] = stage.fleet.boxes.values();
  if (box === undefined) throw new Error('The fleet is empty.');
  await sleep(time, 10_000);
  await track(stage, box);
  box.park();
  await sleep(time, 120_000);
  box.setCoverage(false);
  const first = journal.parse(box.belief()['journal']).next;
  // Nothing of it reaches the service, which is down meanwhile: another incarnation takes what comes then.
  stage.crashService();
  for (let day = 0; day < days; day += 1) await liveADay(stage, box);
  await stage.restartService();
  const held = journal.parse(box.belief()['journal']);
  box.setCoverage(true);
  const begun = time.nowMs();
  while (journal.parse(box.belief()['journal']).held > 0 && time.nowMs() - begun < HOUR_MS)
    await sleep(time, 250);
  const drainedInS = (time.nowMs() - begun) / 1_000;
  await sleep(time, 60_000);
  const { findings } = await verdictOf(stage);
  const records = await recordsOf(stage, box);
  const ofTheDays = records.filter(({ sequence }) => sequence >= first);
  const stored: Record<string, number> = {};
  for (const { kind } of ofTheDays) stored[kind] = (stored[kind] ?? 0) + 1;
  const result = {
    held,
    drainedInS,
    stored,
    lost: ofTheDays.reduce((sum, record) => sum + record.lost, 0),
    deeds: days * DEEDS_A_DAY,
    findings: [...findings, ...faultsOf(stage, ofTheDays, first), ...(await foldFaults(stage, box, records))],
  };
  await stage.close();
  return result;
}

/** Tracking as fine as it goes: a journal fills within three hours of driving. */
async function track(stage: Stage, box: FleetBox): Promise<void> {
  const path = `/vehicles/${box.plan.vehicleId}/telematics-unit/feature-configuration/tracking`;
  const body = JSON.stringify({ time_interval_in_seconds: 1 });
  const { status } = await stage.call('PUT', path, await stage.token(), body);
  if (status !== 200) throw new Error(`Tracking could not be put: ${status}.`);
}

/** Ignition on and off, a door open and shut. */
const DEEDS_A_DAY = 4;
const DRIVEN_MS = HOUR_MS;

async function liveADay({ world: { time } }: Stage, box: FleetBox): Promise<void> {
  box.drive();
  await sleep(time, DRIVEN_MS);
  box.park();
  await sleep(time, 600_000);
  box.openDoor(true);
  await sleep(time, 60_000);
  box.openDoor(false);
  await sleep(time, DAY_MS - DRIVEN_MS - 660_000);
}

async function recordsOf(stage: Stage, box: FleetBox): Promise<readonly StoredRecord[]> {
  const all: StoredRecord[] = [];
  for (;;) {
    const last = all.at(-1);
    const after = last === undefined ? undefined : { epoch: last.epoch, sequence: last.sequence };
    const page = await stage.store.ingest.records({ boxId: box.plan.boxId, after, limit: 1_000 });
    if (page.length === 0) return all;
    all.push(...page);
  }
}

/** Each sequence is stored or given up, and what was given up are the oldest reports of all. */
function faultsOf(stage: Stage, records: readonly StoredRecord[], first: number): readonly string[] {
  const faults: string[] = [];
  const kinds = new Map(records.map(({ sequence, kind }) => [sequence, kind]));
  const buried = new Set<number>();
  for (const { tombstones } of stage.plans.flatMap(({ boxId }) => [...stage.wire.journals(boxId).values()]))
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
  stage: Stage,
  box: FleetBox,
  records: readonly StoredRecord[],
): Promise<readonly string[]> {
  const said = new Map<string, z.infer<typeof state>>();
  for (const { body } of stage.world.exchangeBroker.messages(stage.queue)) {
    const { metadata, data } = message.parse(JSON.parse(new TextDecoder().decode(body)));
    said.set(metadata.message_id, data.vehicle_state);
  }
  const folded: Record<string, unknown> = {};
  for (const { messageId } of records)
    Object.assign(folded, messageId === undefined ? {} : said.get(messageId));
  const response = await stage.call('GET', `/vehicles/${box.plan.vehicleId}`, await stage.token());
  const detail = z.looseObject({ latest_vehicle_state: state }).parse(await response.json());
  const shown = detail.latest_vehicle_state;
  return [...new Set([...Object.keys(shown), ...Object.keys(folded)])].flatMap((name) =>
    isDeepStrictEqual(shown[name], folded[name])
      ? []
      : [`other: ${name} is ${JSON.stringify(shown[name])}, and was told as ${JSON.stringify(folded[name])}`],
  );
}
