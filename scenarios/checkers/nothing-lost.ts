import { counted } from '../language/counted.ts';
import { BoxJudge, type BoxJudgeParts } from '../ledger/box-judge.ts';
import type { BoxFacts, MessageFates, Range } from '../ledger/facts.ts';
import type { Finding } from '../ledger/finding.ts';
import type { Booked } from '../ledger/message-book.ts';
import { joined, split } from '../ledger/ranges.ts';
import type { StoredFact } from '../run/evidence.ts';
import type { Player } from '../run/theatre.ts';
import { OF_RECEIPTS } from './books.ts';
import type { Check, CheckScope } from './check.ts';
import { Findings, nameOf } from './findings.ts';
import { type EpochBook, readJournals } from './journal-book.ts';
import { allMessages, idsOfStates, STATE_TOPIC } from './told-messages.ts';

/** Everything is old by then: what is pending is the business of `heals`. */
const END_OF_TIME_MS = Number.MAX_SAFE_INTEGER;
/** When is no matter: nothing is late here. */
const ARRIVED: Booked = { arrivedMs: undefined };

/**
 * Follows every record from the journal in the box's flash over the receipts that the wire saw and the service's store
 * to the queues, with the judge of the ledger. Lost is what the service receipted and has not, what the box let go of
 * without receipt or tombstone, and what is stored and told in no queue, though the outbox has it no more.
 */
export const nothingLost: Check = async (scope) => {
  const { evidence, players } = scope;
  const findings = new Findings();
  const { ids, isWhole } = await idsOfStates(evidence);
  const isWireWhole = evidence.unbooked().frames === 0;
  const untold: { readonly player: Player; readonly finding: Finding }[] = [];
  let records = 0;
  for (const player of players) {
    if (player.boxId === undefined) continue;
    const say = (finding: Finding): void => {
      if (finding.fate !== 'lost') return;
      if (finding.hop === 'queue') {
        if (isWhole) untold.push({ player, finding });
      } else if (isWireWhole)
        findings.say(`lost at the hop ${finding.hop}`, sentence(player, finding), { player });
    };
    records += await judgeBox(scope, player, (messageId) => (ids.has(messageId) ? ARRIVED : undefined), say);
  }
  // What was stored while the queues were read lies in one by now.
  const late = await queuedOf(scope, new Set(untold.map(({ finding }) => finding.messageId ?? '')));
  for (const { player, finding } of untold) {
    if (late.has(finding.messageId ?? '')) continue;
    findings.say('lost at the hop queue', sentence(player, finding), {
      player,
      ...(finding.receivedMs === undefined ? {} : { atMs: finding.receivedMs }),
    });
  }
  const unjudged = isWireWhole ? '' : '; gaps were not judged: the book of frames was full';
  return findings.checked(
    `${counted(records, 'record')}, ${counted(ids.size, 'message')}${isWhole ? '' : ' and more'}${unjudged}`,
  );
};

/** Says what became of the records of one box; resolves with how many are stored. */
async function judgeBox(
  { evidence, theatre }: CheckScope,
  player: Player,
  ask: BoxJudgeParts['ask'],
  say: (finding: Finding) => void,
): Promise<number> {
  // The flash first: what the box has let go of by then, the store has.
  const journal = await evidence.journal(player);
  const journals = await readJournals(evidence.frames(player, OF_RECEIPTS));
  const present = journals.get(journal?.epoch ?? 0) ?? [...journals.values()].at(-1);
  const facts: BoxFacts = {
    boxId: player.boxId ?? '',
    vehicleId: player.vehicleId === '' ? undefined : player.vehicleId,
    journal,
    settled: { epoch: present?.epoch ?? 0, ranges: present?.receipted ?? [] },
    isConnected: theatre.look(player).isConnected,
    ever: await evidence.everStored(player),
  };
  const judge = new BoxJudge({
    facts,
    settings: { nowMs: END_OF_TIME_MS, lateAfterMs: END_OF_TIME_MS / 2, sinceMs: 0, hasMessages: true },
    ask,
    say,
  });
  const stored = new Map<number, Range[]>();
  const take = async (page: readonly StoredFact[]): Promise<void> => {
    const missing = page.flatMap(({ messageIds }) => messageIds.filter((id) => ask(id) === undefined));
    const fates: MessageFates =
      missing.length === 0 ? { waiting: new Map(), dropped: new Map() } : await evidence.whereabouts(missing);
    for (const { epoch, sequence, measuredMs, storedMs, messageIds } of page) {
      const buried = journals.get(epoch)?.tombstones.get(sequence);
      judge.take(
        {
          epoch,
          sequence,
          clockMs: measuredMs,
          receivedMs: storedMs,
          messageId: messageIds[0],
          lost: buried?.lost ?? 0,
          ...(buried === undefined ? {} : { covers: buried.covers }),
        },
        fates,
      );
      extend(stored, epoch, sequence);
    }
  };
  for await (const page of evidence.records(player)) await take(page);
  judge.end();
  if (facts.ever.records <= judge.records) {
    for (const past of journals.values()) if (past !== present) judgePast(facts, past, stored, say);
  }
  return judge.records;
}

/** Of a journal that ended with a wiped flash: what was receipted before must be there all the same. */
function judgePast(
  { boxId }: BoxFacts,
  { epoch, receipted, tombstones }: EpochBook,
  stored: ReadonlyMap<number, readonly Range[]>,
  say: (finding: Finding) => void,
): void {
  const covered = [...tombstones.values()].map(({ covers }) => covers);
  const there = joined([...(stored.get(epoch) ?? []), ...covered]);
  for (const [sequence, lastSequence] of split(receipted, there).outside) {
    const detail = 'receipted on the wire, and neither stored nor buried';
    const count = lastSequence - sequence + 1;
    say({ fate: 'lost', hop: 'state', count, boxId, epoch, sequence, lastSequence, detail });
  }
}

/** Sequences come rising. */
function extend(stored: Map<number, Range[]>, epoch: number, sequence: number): void {
  const ranges = stored.get(epoch) ?? [];
  stored.set(epoch, ranges);
  const last = ranges.at(-1);
  if (last !== undefined && last[1] === sequence - 1) ranges[ranges.length - 1] = [last[0], sequence];
  else ranges.push([sequence, sequence]);
}

/** Those of the ids that lie in a queue now. */
async function queuedOf({ evidence }: CheckScope, ids: ReadonlySet<string>): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (ids.size === 0) return found;
  for await (const page of allMessages(evidence, STATE_TOPIC))
    for (const { messageId } of page) if (ids.has(messageId)) found.add(messageId);
  return found;
}

function sentence(player: Player, finding: Finding): string {
  const { epoch = 0, sequence = 0, lastSequence, messageId, detail } = finding;
  const to = lastSequence === undefined || lastSequence === sequence ? '' : ` to ${lastSequence}`;
  const message = messageId === undefined ? '' : `, message ${messageId}`;
  return `record ${player.boxId}/${epoch}/${sequence}${to}${message} of ${nameOf(player)}: ${detail}`;
}
