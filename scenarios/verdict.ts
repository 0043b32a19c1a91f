import { z } from 'zod';
import type { StoredRecord } from '../backend/store/ingest-store.ts';
import type { FleetBox } from '../simulator/fleet.ts';
import { sleep } from '../world/time.ts';
import type { StoredMessage } from '../world/virtual-exchange-broker.ts';
import { Repeats } from './checkers/repeats.ts';
import type { Stage } from './stage.ts';

const PAGE = 1_000;
const body = z.looseObject({
  metadata: z.looseObject({ message_id: z.string() }),
  data: z.looseObject({ vehicle_id: z.string() }),
});

/**
 * Whether every record that was receipted is stored once and was published with one message id, and whether messages
 * of a vehicle kept their order. Compares the wire, the store and the queue, which don't know of one another.
 */
export async function verdictOf(
  stage: Stage,
): Promise<{ readonly records: number; readonly messages: number; readonly findings: readonly string[] }> {
  const findings: string[] = [...(await unsettled(stage))];
  const stored = new Set<string>();
  const expectedIds = new Map<string, string>();
  for (const { boxId } of stage.plans) {
    const sent = stage.wire.journals(boxId);
    for (const record of await recordsOf(stage, boxId)) {
      const key = `${boxId}/${record.epoch}/${record.sequence}`;
      if (stored.has(key)) findings.push(`doubled: record ${key} is stored twice`);
      stored.add(key);
      if (sent.get(record.epoch)?.sent.has(record.sequence) !== true)
        findings.push(`invented: ${key} was never sent`);
      if (record.messageId !== undefined) expectedIds.set(record.messageId, key);
    }
  }
  for (const { boxId } of stage.plans) {
    for (const { epoch, receipted, tombstones } of stage.wire.journals(boxId).values()) {
      const buried = [...tombstones.values()].map(({ covers }) => covers);
      for (const [first, last] of receipted) {
        for (let at = first; at <= last; at += 1) {
          const key = `${boxId}/${epoch}/${at}`;
          if (stored.has(key) || buried.some((range) => at >= range[0] && at <= range[1])) continue;
          findings.push(`lost: ${key} was receipted and is not stored`);
        }
      }
    }
  }
  const queued = stage.world.exchangeBroker.messages(stage.queue);
  const { ids: published, findings: repeated } = idsOnce(queued, stage.restartsMs);
  findings.push(...repeated);
  for (const [id, key] of expectedIds)
    if (!published.has(id)) findings.push(`lost: message ${id} of ${key} is not in the queue`);
  for (const id of published)
    if (!expectedIds.has(id)) findings.push(`invented: message ${id} belongs to no stored record`);
  return { records: stored.size, messages: published.size, findings };
}

const journal = z.looseObject({ held: z.number() });
const listed = z.looseObject({
  items: z.array(z.looseObject({ id: z.string(), life_status: z.looseObject({ value: z.string() }) })),
});

/** What has not settled although every fault has ended: journals with records, boxes that the service takes for away. */
async function unsettled(stage: Stage): Promise<readonly string[]> {
  const findings: string[] = [];
  for (const box of await undrained(stage)) {
    const { held } = journal.parse(box.belief()['journal']);
    findings.push(`pending: ${box.plan.boxId} still holds ${held} records`);
  }
  for (const box of stage.fleet.boxes.values()) {
    const session = box.belief()['session'];
    if (session !== 'ready') findings.push(`pending: ${box.plan.boxId} is ${String(session)}`);
  }
  const response = await stage.call('GET', '/vehicles?limit=1000', await stage.token());
  for (const { id, life_status } of listed.parse(await response.json()).items) {
    if (life_status.value !== 'ONLINE')
      findings.push(`pending: the service takes ${id} for ${life_status.value}`);
  }
  for (const [name, count] of Object.entries(stage.counters())) {
    if (name === 'records.unexplained' && count > 0) findings.push(`lost: ${count} unexplained gaps`);
  }
  return findings;
}

/** Boxes whose journal was never empty within a minute: one that drives always has a record on its way now and then. */
async function undrained(stage: Stage): Promise<ReadonlySet<FleetBox>> {
  const waiting = new Set(stage.fleet.boxes.values());
  const { time } = stage.world;
  for (
    const untilMs = time.nowMs() + 60_000;
    time.nowMs() < untilMs && waiting.size > 0;
    await sleep(time, 500)
  ) {
    for (const box of waiting) if (journal.parse(box.belief()['journal']).held === 0) waiting.delete(box);
  }
  return waiting;
}

async function recordsOf(stage: Stage, boxId: string): Promise<readonly StoredRecord[]> {
  const all: StoredRecord[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await stage.store.ingest.records({
      boxId,
      after: last === undefined ? undefined : { epoch: last.epoch, sequence: last.sequence },
      limit: PAGE,
    });
    all.push(...page);
    if (page.length < PAGE) return all;
  }
}

/**
 * The ids of the messages of a queue; per vehicle, what comes once more must stand where it may (checkers/repeats.ts).
 * `restartsMs`: when the service was started again, milliseconds since 1970, ascending.
 */
export function idsOnce(
  messages: Iterable<Pick<StoredMessage, 'body' | 'storedMs'>>,
  restartsMs: readonly number[],
): { readonly ids: ReadonlySet<string>; readonly findings: readonly string[] } {
  const ids = new Set<string>();
  const findings: string[] = [];
  const lanes = new Map<string, Repeats>();
  for (const message of messages) {
    const { metadata, data } = body.parse(JSON.parse(Buffer.from(message.body).toString('utf8')));
    const id = metadata.message_id;
    const lane = lanes.get(data.vehicle_id) ?? new Repeats(restartsMs);
    lanes.set(data.vehicle_id, lane);
    if (!lane.has(id)) lane.first(id);
    else if (!lane.again(id, message.storedMs))
      findings.push(`reordered: message ${id} of ${data.vehicle_id} was repeated after a later one`);
    ids.add(id);
  }
  return { ids, findings };
}
