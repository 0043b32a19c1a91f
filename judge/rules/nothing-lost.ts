import { RECEIPT_KINDS } from '../checkers.ts';
import type { RecordEvidence } from '../evidence/evidence.ts';
import type { SimulatedVehicle } from '../evidence/simulated-vehicle.ts';
import { BoxJudge, type BoxJudgeParts } from '../ledger/box-judge.ts';
import type { BoxFacts, MessageFates, SequenceRange } from '../ledger/facts.ts';
import type { LedgerFinding } from '../ledger/finding.ts';
import type { FirstArrival } from '../ledger/message-recording.ts';
import { joined, split } from '../ledger/ranges.ts';
import type { Checker, CheckScope } from './check.ts';
import { Findings, nameOf } from './findings.ts';
import { wasHelloHeldBack } from './held-back-hello.ts';
import { type EpochRecording, readJournals } from './journal-recording.ts';
import { messagesPastMissingQueues } from './missing-queues.ts';
import { allMessages, STATE_TOPIC, stateMessageIds } from './queue-messages.ts';
import { judgeTombstones } from './tombstones-settle.ts';

/** Everything is old by then: `heals` checks what is pending. */
const END_OF_TIME_MS = Number.MAX_SAFE_INTEGER;
/** Times do not matter: nothing is late here. */
const FIRST_ARRIVAL: FirstArrival = { arrivedMs: undefined };

/** Warnings about frames that a correct box may send: it was wiped, or removed from its vehicle record, in between. */
const EXPECTED_IN_QUARANTINE: ReadonlySet<string> = new Set(['old-epoch', 'unknown-box']);

/** Warnings of the service for which a correct box gives no reason, whichever other part fails. */
const NEVER_WARNED_OF: Readonly<Record<string, string>> = {
  'unexplained-gap': 'an unexplained loss',
  'sequence-regression': 'a box that forgot its sequences',
};

/**
 * Follows every record from the journal in the box's flash over the receipts on the wire and the service's store to the
 * queues, with the judge of the ledger. Lost is what the service receipted and does not have, what the box released
 * without receipt or tombstone, what is stored but in no queue and no longer in the outbox, and bytes that the service
 * could not read. What a tombstone explains is explained completely (tombstones-settle.ts).
 */
export const nothingLost: Checker = async (scope) => {
  const { evidence, vehicles } = scope;
  const findings = new Findings();
  const { ids, isWhole } = await stateMessageIds(evidence);
  const isWireWhole = evidence.unrecorded().frames === 0;
  const untold: { readonly vehicle: SimulatedVehicle; readonly finding: LedgerFinding }[] = [];
  let records = 0;
  for (const vehicle of vehicles) {
    if (vehicle.boxId === undefined) continue;
    const report = (finding: LedgerFinding): void => {
      if (finding.fate !== 'lost') return;
      if (finding.hop === 'queue') {
        if (isWhole) untold.push({ vehicle, finding });
      } else if (isWireWhole)
        findings.add(`lost at the hop ${finding.hop}`, sentence(vehicle, finding), { vehicle });
    };
    await judgeTombstones(vehicle, evidence.frames(vehicle, RECEIPT_KINDS), findings);
    records += await judgeBox(
      scope,
      vehicle,
      (messageId) => (ids.has(messageId) ? FIRST_ARRIVAL : undefined),
      report,
    );
  }
  // Messages stored while the queues were read are in one by now.
  const late = await queuedOf(scope, new Set(untold.map(({ finding }) => finding.messageId ?? '')));
  const past = untold.length === 0 ? [] : messagesPastMissingQueues(scope.facts, await evidence.calls());
  const excused = new Set(past.map(({ messageId }) => messageId));
  for (const { vehicle, finding } of untold) {
    const { messageId = '' } = finding;
    if (late.has(messageId) || excused.has(messageId)) continue;
    findings.add('lost at the hop queue', sentence(vehicle, finding), {
      vehicle,
      ...(finding.receivedMs === undefined ? {} : { atMs: finding.receivedMs }),
    });
  }
  for (const { boxId, kind, detail } of evidence.troubles()) {
    const words = NEVER_WARNED_OF[kind];
    const vehicle = vehicles.find((one) => one.boxId === boxId);
    // A hello that weather holds back arrives after later records of its box.
    const isOld =
      kind === 'sequence-regression' && vehicle !== undefined && wasHelloHeldBack(vehicle, scope.facts);
    if (words !== undefined && vehicle !== undefined && !isOld)
      findings.add(words, `of ${nameOf(vehicle)}, by the log of the service: ${detail}`, { vehicle });
  }
  for (const { boxId, atMs, fault, detail } of await evidence.quarantined()) {
    if (EXPECTED_IN_QUARANTINE.has(fault)) continue;
    const vehicle = vehicles.find((one) => one.boxId === boxId);
    const of = vehicle === undefined ? `box ${boxId}` : nameOf(vehicle);
    findings.add('bytes in quarantine', `${of} sent what the service could not take: ${fault}, ${detail}`, {
      vehicle,
      atMs,
    });
  }
  const unjudged = isWireWhole ? '' : '; gaps were not judged: the book of frames was full';
  return findings.result(
    [
      [records, 'record'],
      [ids.size, 'message'],
    ],
    `${isWhole ? '' : ' and more'}${unjudged}`,
  );
};

/** Reports the outcome of the records of one box; resolves with how many are stored. */
async function judgeBox(
  { evidence, testbed }: CheckScope,
  vehicle: SimulatedVehicle,
  ask: BoxJudgeParts['findMessage'],
  report: (finding: LedgerFinding) => void,
): Promise<number> {
  // The flash first: what the box has released by then, the store has.
  const journal = await evidence.journal(vehicle);
  const journals = await readJournals(evidence.frames(vehicle, RECEIPT_KINDS));
  const present = journals.get(journal?.epoch ?? 0) ?? [...journals.values()].at(-1);
  const facts: BoxFacts = {
    boxId: vehicle.boxId ?? '',
    vehicleId: vehicle.vehicleId === '' ? undefined : vehicle.vehicleId,
    journal,
    settled: { epoch: present?.epoch ?? 0, ranges: present?.receipted ?? [] },
    isConnected: testbed.snapshotOf(vehicle).isConnected,
    ever: await evidence.everStored(vehicle),
  };
  const judge = new BoxJudge({
    facts,
    settings: { nowMs: END_OF_TIME_MS, lateAfterMs: END_OF_TIME_MS / 2, sinceMs: 0, hasMessages: true },
    findMessage: ask,
    report,
  });
  const stored = new Map<number, SequenceRange[]>();
  const take = async (page: readonly RecordEvidence[]): Promise<void> => {
    const missing = page.flatMap(({ messageIds }) => messageIds.filter((id) => ask(id) === undefined));
    const fates: MessageFates =
      missing.length === 0
        ? { waiting: new Map(), dropped: new Map() }
        : await evidence.messageFates(missing);
    for (const { epoch, sequence, measuredMs, storedMs, messageIds } of page) {
      const tombstone = journals.get(epoch)?.tombstones.get(sequence);
      judge.take(
        {
          epoch,
          sequence,
          clockMs: measuredMs,
          receivedMs: storedMs,
          messageId: messageIds[0],
          lost: tombstone?.lost ?? 0,
          ...(tombstone === undefined ? {} : { covers: tombstone.covers }),
        },
        fates,
      );
      extend(stored, epoch, sequence);
    }
  };
  for await (const page of evidence.records(vehicle)) await take(page);
  judge.end();
  if (facts.ever.records <= judge.records) {
    for (const past of journals.values()) if (past !== present) judgePast(facts, past, stored, report);
  }
  return judge.records;
}

/** Of a journal that ended with a wiped flash: what was receipted before must still be stored. */
function judgePast(
  { boxId }: BoxFacts,
  { epoch, receipted, tombstones }: EpochRecording,
  stored: ReadonlyMap<number, readonly SequenceRange[]>,
  report: (finding: LedgerFinding) => void,
): void {
  const covered = [...tombstones.values()].map(({ covers }) => covers);
  const there = joined([...(stored.get(epoch) ?? []), ...covered]);
  for (const [sequence, lastSequence] of split(receipted, there).outside) {
    const detail = 'receipted on the wire, and neither stored nor buried';
    const count = lastSequence - sequence + 1;
    report({ fate: 'lost', hop: 'state', count, boxId, epoch, sequence, lastSequence, detail });
  }
}

/** Sequences come rising. */
function extend(stored: Map<number, SequenceRange[]>, epoch: number, sequence: number): void {
  const ranges = stored.get(epoch) ?? [];
  stored.set(epoch, ranges);
  const last = ranges.at(-1);
  if (last !== undefined && last[1] === sequence - 1) ranges[ranges.length - 1] = [last[0], sequence];
  else ranges.push([sequence, sequence]);
}

/** Those of the ids that are in a queue now. */
async function queuedOf({ evidence }: CheckScope, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (ids.size === 0) return found;
  for await (const page of allMessages(evidence, STATE_TOPIC))
    for (const { messageId } of page) if (ids.has(messageId)) found.add(messageId);
  return found;
}

function sentence(vehicle: SimulatedVehicle, finding: LedgerFinding): string {
  const { epoch = 0, sequence = 0, lastSequence, messageId, detail } = finding;
  const to = lastSequence === undefined || lastSequence === sequence ? '' : ` to ${lastSequence}`;
  const message = messageId === undefined ? '' : `, message ${messageId}`;
  return `record ${vehicle.boxId}/${epoch}/${sequence}${to}${message} of ${nameOf(vehicle)}: ${detail}`;
}
