import { counted } from '../language/counted.ts';
import { MessageBook } from '../ledger/message-book.ts';
import { readMessage } from '../ledger/read-message.ts';
import { ALL_KINDS } from '../run/books.ts';
import type { QueuedMessage } from '../run/evidence.ts';
import type { Player } from '../run/theatre.ts';
import type { Check, CheckScope } from './check.ts';
import { Findings, nameOf } from './findings.ts';
import { readJournals } from './journal-book.ts';
import { limits } from './limits.ts';
import { allMessages, STATE_TOPIC } from './told-messages.ts';

/** Their flow ids are their record's own: a second message with the same one tells the same record again. */
const OF_FEATURES: ReadonlySet<string> = new Set([
  'DamageDetected',
  'SmokeDetected',
  'DrivingEventDetected',
  'ParkingEventDetected',
]);

/**
 * Compares store, wire and queues: no record stored twice, none stored that never crossed the wire, no message id that
 * stands for two records, no message in a queue that belongs to no record of its vehicle (`MessageBook.unasked` tells
 * which record it repeats), and no event of a feature told under two ids.
 */
export const nothingDoubled: Check = async (scope) => {
  const findings = new Findings();
  const book = new MessageBook();
  let isWhole = true;
  const features = new FeatureBook();
  const byVehicle = new Map(scope.players.map((player) => [player.vehicleId, player]));
  for await (const page of allMessages(scope.evidence)) {
    for (const message of page) {
      const { queue, atMs, name, messageId, vehicleId } = message;
      if (OF_FEATURES.has(name)) {
        const other = features.take(message);
        const player = byVehicle.get(vehicleId);
        if (other !== undefined)
          findings.say(
            'an event under two ids',
            `${name} of ${player === undefined ? vehicleId : nameOf(player)} is told by message ${other} and by message ${messageId} in ${queue}`,
            { player, atMs },
          );
      }
      if (!queue.startsWith(STATE_TOPIC)) continue;
      isWhole &&= !book.isFull;
      const arrival = isWhole
        ? readMessage(message.body, { queue, redelivered: false, arrivedMs: atMs })
        : undefined;
      if (arrival !== undefined) book.take(arrival);
    }
  }
  const pruned = new Set<string>();
  let records = 0;
  for (const player of scope.players) {
    if (player.boxId === undefined) continue;
    const count = await judgeRecords(scope, player, book, findings);
    records += count;
    const ever = await scope.evidence.everStored(player);
    if (ever.records > count) pruned.add(player.vehicleId);
  }
  for (const { messageId, vehicleId, queue, twin, arrivedMs } of isWhole ? book.unasked() : []) {
    const player = byVehicle.get(vehicleId);
    // Of a maker's car, of a vehicle that is no more, or of one whose oldest records are pruned.
    if (player?.boxId === undefined || pruned.has(vehicleId)) continue;
    const about = { player, ...(arrivedMs === undefined ? {} : { atMs: arrivedMs }) };
    if (twin === undefined)
      findings.say(
        'a message of no record',
        `message ${messageId} of ${nameOf(player)} in ${queue} belongs to no stored record`,
        about,
      );
    else
      findings.say(
        'a record under two ids',
        `message ${messageId} of ${nameOf(player)} in ${queue} tells what message ${twin} has told`,
        about,
      );
  }
  return findings.checked(
    `${counted(records, 'record')}, ${counted(book.size, 'message')}${isWhole ? '' : ' and more'}`,
  );
};

async function judgeRecords(
  { evidence }: CheckScope,
  player: Player,
  book: MessageBook,
  findings: Findings,
): Promise<number> {
  // What is on the wire after the store was looked at is not in question; what was stored before was on the wire.
  const stored: { readonly epoch: number; readonly sequence: number; readonly storedMs: number }[] = [];
  const keyOf = new Map<string, string>();
  let before = '';
  for await (const page of evidence.records(player)) {
    for (const { key, epoch, sequence, storedMs, messageIds } of page) {
      if (key === before)
        findings.say('a record stored twice', `record ${key} of ${nameOf(player)} is stored twice`, {
          player,
          atMs: storedMs,
        });
      else stored.push({ epoch, sequence, storedMs });
      before = key;
      for (const messageId of messageIds) {
        book.ask(messageId);
        const other = keyOf.get(messageId);
        if (other !== undefined && other !== key)
          findings.say(
            'a message for two records',
            `message ${messageId} of ${nameOf(player)} stands for record ${other} and for record ${key}`,
            { player, atMs: storedMs },
          );
        keyOf.set(messageId, key);
      }
    }
  }
  if (evidence.unbooked().frames > 0) return stored.length;
  const journals = await readJournals(evidence.frames(player, ALL_KINDS));
  for (const { epoch, sequence, storedMs } of stored) {
    if (journals.get(epoch)?.sent.has(sequence) === true) continue;
    findings.say(
      'a record that was never sent',
      `record ${player.boxId}/${epoch}/${sequence} of ${nameOf(player)} is stored, and no frame of it crossed the wire`,
      { player, atMs: storedMs },
    );
  }
  return stored.length;
}

/** The first id of each event, by vehicle, name and flow. */
class FeatureBook {
  readonly #first = new Map<string, string>();

  /** The other id under which the same was told already; undefined: none. */
  take({ vehicleId, name, messageId, body }: QueuedMessage): string | undefined {
    const { metadata } = body as { readonly metadata?: { readonly flow_id?: unknown } };
    const flowId = metadata?.flow_id;
    if (typeof flowId !== 'string') return undefined;
    const key = `${vehicleId} ${name} ${flowId}`;
    const first = this.#first.get(key);
    if (first === undefined && this.#first.size < limits.messages) this.#first.set(key, messageId);
    return first === undefined || first === messageId ? undefined : first;
  }
}
