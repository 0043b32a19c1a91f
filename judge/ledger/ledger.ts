import type { Flash } from '../../world/flash/flash.ts';
import { BoxJudge } from './box-judge.ts';
import type {
  ArrivedMessage,
  BoxFacts,
  JournalFacts,
  JudgeSettings,
  LedgerRecord,
  MessageFates,
  SequenceRange,
} from './facts.ts';
import { LedgerAccount, type LedgerReport } from './ledger-account.ts';
import { limits } from './limits.ts';
import { MessageRecording } from './message-recording.ts';
import { readJournal } from './read-flash.ts';

/** What the ledger reads of the service's store. Lists are in pages of at most `limit`. */
export interface LedgerStore {
  readonly ingest: {
    /** The ids of boxes by their order, after `after`. */
    boxIds(query: { readonly after: string | undefined; readonly limit: number }): Promise<readonly string[]>;
    /** Unknown boxes are missing. */
    load(boxIds: readonly string[]): Promise<ReadonlyMap<string, KnownBox>>;
    countRecords(boxId: string): Promise<BoxFacts['ever']>;
    /** In ascending order of epoch and sequence. */
    records(query: {
      readonly boxId: string;
      readonly after: { readonly epoch: number; readonly sequence: number } | undefined;
      readonly limit: number;
    }): Promise<readonly LedgerRecord[]>;
    /** The newest first. */
    quarantined(query: {
      readonly limit: number;
    }): Promise<readonly { readonly boxId: string; readonly receivedMs: number; readonly fault: string }[]>;
  };
  readonly outbox: {
    next(query: {
      readonly afterPosition: number;
      readonly limit: number;
    }): Promise<
      readonly { readonly messageId: string; readonly createdMs: number; readonly position: number }[]
    >;
    dropped(
      messageIds: readonly string[],
    ): Promise<readonly { readonly messageId: string; readonly reason: string }[]>;
  };
}

interface KnownBox {
  readonly vehicle: {
    /** Empty: the box is in no vehicle record. */
    readonly id: string;
    readonly box: {
      readonly journal:
        | { readonly epoch: number; readonly contiguous: number; readonly ranges: readonly SequenceRange[] }
        | undefined;
      readonly connection: { readonly open: boolean | undefined } | undefined;
    };
  };
}

export interface LedgerSources {
  /** Read before the store: what a box has released by then, the store has. */
  readonly flash: Pick<Flash, 'load'> | undefined;
  readonly store: LedgerStore;
  /** What came out of the queues, in its order; `unreadable` for what is no message. Undefined: no queue was read. */
  readonly messages: AsyncIterable<ArrivedMessage | 'unreadable'> | undefined;
}

/** More messages than the ledger can hold. */
export class LedgerFull extends Error {
  override readonly name = 'LedgerFull';
}

/**
 * Follows every record from the journals to the queue, and reports its outcome. Reads only. Rejects with the source's
 * own error if one cannot be read, and with `LedgerFull`.
 */
export async function makeLedgerReport(
  sources: LedgerSources,
  settings: Omit<JudgeSettings, 'hasMessages'>,
): Promise<LedgerReport> {
  const { store } = sources;
  const account = new LedgerAccount();
  const recording = new MessageRecording();
  const hasMessages = sources.messages !== undefined;
  let unreadableLines = 0;
  for await (const message of sources.messages ?? []) {
    if (message === 'unreadable') {
      unreadableLines += 1;
      continue;
    }
    if (recording.isFull)
      throw new LedgerFull(`More than ${limits.messages} messages are more than it can hold.`);
    const finding = recording.record(message);
    if (finding !== undefined) account.add(finding);
  }
  const waiting = await outboxOf(store);
  const ofBoxes = new Map<string, { readonly hasPruned: boolean }>();
  for await (const { boxId, known } of boxesOf(store)) {
    const journal = sources.flash === undefined ? undefined : readJournal(await sources.flash.load(boxId));
    const facts = factsOf(known, boxId, journal, await store.ingest.countRecords(boxId));
    const judge = new BoxJudge({
      facts,
      settings: { ...settings, hasMessages },
      findMessage: (messageId) => recording.claim(messageId),
      report: (finding) => account.add(finding),
    });
    for await (const rows of recordsOf(store, boxId)) {
      const fates = { waiting, dropped: await droppedOf(store, waiting, recording, rows) };
      for (const row of rows) judge.take(row, fates);
    }
    judge.end();
    account.box(boxId, facts.vehicleId, judge.records, judge.delivered);
    if (facts.vehicleId !== undefined)
      ofBoxes.set(facts.vehicleId, { hasPruned: facts.ever.records > judge.records });
  }
  for (const one of recording.unclaimed()) {
    const { messageId, vehicleId, queue, receivedMs, arrivedMs, duplicateOf: twin } = one;
    const vehicle = ofBoxes.get(vehicleId);
    // Of a vehicle without a box, or a deleted one; or sent after the store was read, or pruned since.
    if (vehicle === undefined || vehicle.hasPruned) continue;
    if ((receivedMs ?? arrivedMs ?? 0) > settings.nowMs - 1_000) continue;
    account.add({
      fate: twin === undefined ? 'unknown' : 'doubled',
      hop: 'state',
      count: 1,
      vehicleId,
      messageId,
      queue,
      ...(receivedMs === undefined ? {} : { receivedMs }),
      ...(arrivedMs === undefined ? {} : { arrivedMs }),
      detail: twin === undefined ? 'it belongs to no stored record' : `it tells the same as ${twin}`,
    });
  }
  for (const { boxId, receivedMs, fault } of await store.ingest.quarantined({ limit: limits.quarantineRows }))
    account.add({ fate: 'unreadable', hop: 'broker', count: 1, boxId, receivedMs, detail: fault });
  return account.report({
    atMs: settings.nowMs,
    stoppedMs: settings.stoppedMs,
    arrivals: recording.arrivals,
    hasMessages,
    unreadableLines,
  });
}

async function* boxesOf(
  store: LedgerSources['store'],
): AsyncGenerator<{ readonly boxId: string; readonly known: KnownBox | undefined }> {
  for (let after: string | undefined; ; ) {
    const boxIds = await store.ingest.boxIds({ after, limit: limits.pageRows });
    const known = await store.ingest.load(boxIds);
    for (const boxId of boxIds) yield { boxId, known: known.get(boxId) };
    if (boxIds.length < limits.pageRows) return;
    after = boxIds.at(-1);
  }
}

async function* recordsOf(store: LedgerSources['store'], boxId: string) {
  for (let after: { readonly epoch: number; readonly sequence: number } | undefined; ; ) {
    const rows = await store.ingest.records({ boxId, after, limit: limits.pageRows });
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limits.pageRows) return;
    after = { epoch: last.epoch, sequence: last.sequence };
  }
}

async function outboxOf(store: LedgerSources['store']): Promise<ReadonlyMap<string, number>> {
  const waiting = new Map<string, number>();
  for (let afterPosition = 0; ; ) {
    const rows = await store.outbox.next({ afterPosition, limit: limits.pageRows });
    for (const { messageId, createdMs } of rows) waiting.set(messageId, createdMs);
    const last = rows.at(-1);
    if (last === undefined || rows.length < limits.pageRows) return waiting;
    afterPosition = last.position;
  }
}

/** Those of the rows' messages that neither came nor wait, and were dropped. */
async function droppedOf(
  store: LedgerSources['store'],
  waiting: MessageFates['waiting'],
  recording: MessageRecording,
  rows: readonly { readonly messageId: string | undefined }[],
): Promise<MessageFates['dropped']> {
  const missing = rows.flatMap(({ messageId }) =>
    messageId === undefined || waiting.has(messageId) || recording.claim(messageId) !== undefined
      ? []
      : [messageId],
  );
  if (missing.length === 0) return new Map();
  return new Map((await store.outbox.dropped(missing)).map(({ messageId, reason }) => [messageId, reason]));
}

function factsOf(
  known: KnownBox | undefined,
  boxId: string,
  journal: JournalFacts | undefined,
  ever: BoxFacts['ever'],
): BoxFacts {
  const vehicle = known?.vehicle;
  const position = vehicle?.box.journal;
  const contiguous: readonly SequenceRange[] =
    position === undefined || position.contiguous === 0 ? [] : [[1, position.contiguous]];
  return {
    boxId,
    vehicleId: vehicle === undefined || vehicle.id === '' ? undefined : vehicle.id,
    journal,
    settled: { epoch: position?.epoch ?? 0, ranges: [...contiguous, ...(position?.ranges ?? [])] },
    isConnected: vehicle?.box.connection?.open === true,
    ever,
  };
}
