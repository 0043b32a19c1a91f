import type { BulkItem } from '../../backend/store/bulk-store.ts';
import type { StoredRecord } from '../../backend/store/ingest-store.ts';
import { limits as boxLimits } from '../../simulator/limits.ts';
import { counted } from '../language/counted.ts';
import type { MessageFates } from '../ledger/facts.ts';
import { readJournal } from '../ledger/read-flash.ts';
import type { Evidence, JobFact, StoredFact } from '../run/evidence.ts';
import type { Asked, Player } from '../run/theatre.ts';
import type { Actor } from './actor.ts';
import type { CallBook } from './call-book.ts';
import type { ClockBook } from './clock-book.ts';
import type { FrameLog } from './frame-log.ts';
import { isLeftAway } from './left-away.ts';
import { limits } from './limits.ts';
import type { Lookout } from './lookout.ts';
import type { BackOffice } from './office.ts';
import type { QueueBook } from './queue-book.ts';

export interface EvidenceParts {
  readonly actors: readonly Actor[];
  readonly office: BackOffice;
  readonly frames: FrameLog;
  readonly queues: QueueBook;
  readonly calls: CallBook;
  readonly lookout: Lookout;
  /** Undefined: nobody reads it. */
  readonly clocks: ClockBook | undefined;
  readonly levels: { look(): Promise<void>; all(): Awaited<ReturnType<Evidence['levels']>> };
  /** What a box has in its flash. */
  readonly pagesOf: (boxId: string) => Promise<ReadonlyMap<string, Uint8Array>>;
  /** Asks the service without leaving a trace in the books. */
  readonly inquire: (asked: Asked) => Promise<{ readonly status: number; readonly body: unknown }>;
}

type Loose = Readonly<Record<string, unknown>>;

/** What each side can tell, from its own books. */
export function evidenceOf(parts: EvidenceParts): Evidence {
  const { actors, office, frames, queues, calls, lookout, levels } = parts;
  const actorOf = (player: Player): Actor | undefined => actors[player.number - 1];
  return {
    frames: ({ boxId }, kinds) => inPages(boxId === undefined ? [] : frames.frames(boxId, kinds)),
    records: ({ boxId }) => recordsOf(office, boxId),
    async everStored({ boxId }) {
      return boxId === undefined ? { records: 0, lost: 0 } : office.store.ingest.countRecords(boxId);
    },
    async journal({ boxId }) {
      return boxId === undefined ? undefined : readJournal(await parts.pagesOf(boxId));
    },
    whereabouts: (messageIds) => whereaboutsOf(office, messageIds),
    unbooked: () => ({ frames: frames.dropped, calls: calls.dropped }),
    async *messages(queue) {
      const fleetId = (await queuesOf(office)).find(({ name }) => name === queue)?.fleetId ?? '';
      yield* inPages(queues.messages(queue, fleetId));
    },
    queues: () => queuesOf(office),
    acted: (player) => {
      const actor = actorOf(player);
      return Promise.resolve(actor === undefined ? [] : lookout.acted(actor));
    },
    calls: () => Promise.resolve(calls.answered()),
    jobs: () => jobsOf(parts),
    async twin(player) {
      const as = player.group.fleet === 'own' ? 'owner' : player.group.fleet;
      const { body } = await parts.inquire({ method: 'GET', path: `/vehicles/${player.vehicleId}`, as });
      return typeof body === 'object' && body !== null ? (body as Loose) : {};
    },
    truths(player, fromMs, toMs) {
      const actor = actorOf(player);
      return (actor?.box ?? actor?.car)?.truths(fromMs, toMs);
    },
    clocks: ({ number }) => parts.clocks?.of(number) ?? [],
    async levels() {
      await levels.look();
      const journals = actors.flatMap((actor) =>
        actor.boxPlan === undefined
          ? []
          : [
              {
                name: `journal of ${actor.boxPlan.boxId}`,
                most: lookout.most(actor),
                // A tombstone has a place of its own.
                bound:
                  (actor.boxPlan.journalRecords ?? boxLimits.journalRecords) + boxLimits.journalTombstones,
              },
            ],
      );
      return [...journals, ...levels.all()];
    },
    pending: () => pendingOf(parts),
  };
}

async function* inPages<T>(items: Iterable<T>): AsyncGenerator<readonly T[]> {
  let page: T[] = [];
  for (const item of items) {
    page.push(item);
    if (page.length < limits.pageRows) continue;
    yield page;
    page = [];
  }
  if (page.length > 0) yield page;
}

async function* recordsOf(
  { store }: BackOffice,
  boxId: string | undefined,
): AsyncGenerator<readonly StoredFact[]> {
  if (boxId === undefined) return;
  for (let after: { readonly epoch: number; readonly sequence: number } | undefined; ; ) {
    const rows = await store.ingest.records({ boxId, after, limit: limits.pageRows });
    if (rows.length > 0) yield rows.map((row) => new Stored(boxId, row));
    const last = rows.at(-1);
    if (last === undefined || rows.length < limits.pageRows) return;
    after = { epoch: last.epoch, sequence: last.sequence };
  }
}

/** One shape for all of them, and a key only for who asks. */
class Stored implements StoredFact {
  readonly #boxId: string;
  readonly epoch: number;
  readonly sequence: number;
  readonly kind: string;
  readonly measuredMs: number;
  readonly storedMs: number;
  readonly messageIds: readonly string[];

  constructor(boxId: string, { epoch, sequence, kind, clockMs, receivedMs, messageId }: StoredRecord) {
    this.#boxId = boxId;
    this.epoch = epoch;
    this.sequence = sequence;
    this.kind = kind;
    this.measuredMs = clockMs;
    this.storedMs = receivedMs;
    this.messageIds = messageId === undefined ? [] : [messageId];
  }

  get key(): StoredFact['key'] {
    return `${this.#boxId}/${this.epoch}/${this.sequence}`;
  }
}

async function whereaboutsOf({ store }: BackOffice, messageIds: readonly string[]): Promise<MessageFates> {
  const waiting = new Map<string, number>();
  for (let afterPosition = 0; ; ) {
    const rows = await store.outbox.next({ afterPosition, limit: limits.pageRows });
    for (const { messageId, createdMs } of rows) waiting.set(messageId, createdMs);
    const last = rows.at(-1);
    if (last === undefined || rows.length < limits.pageRows) break;
    afterPosition = last.position;
  }
  const dropped = await store.outbox.dropped(messageIds);
  return { waiting, dropped: new Map(dropped.map(({ messageId, reason }) => [messageId, reason])) };
}

/** Those that are there from the beginning, and those of subscriptions. */
async function queuesOf({ store, queues }: BackOffice) {
  const subscribed = await store.subscriptions.live();
  return [
    ...queues.map(({ name, fleetId }) => ({ name, fleetId, topic: name.slice(0, name.indexOf('-')) })),
    ...subscribed.flatMap((one) =>
      one.queues.map(({ name, topic }) => ({ name, fleetId: one.fleetId, topic })),
    ),
  ];
}

async function jobsOf({ office, calls }: EvidenceParts): Promise<readonly JobFact[]> {
  const facts: JobFact[] = [];
  for (const { id, vehicleIds } of calls.jobs) {
    const job = await office.store.bulk.find(id);
    if (job === undefined) continue;
    const items: { id: string; status: string; reason?: string }[] = [];
    for await (const page of itemsOf(office, id)) {
      for (const { vehicleId, status, reason } of page) {
        items.push({
          id: vehicleId,
          status: status.toUpperCase(),
          ...(reason === undefined ? {} : { reason: reason.detail }),
        });
      }
    }
    const status = job.counts.pending === 0 ? 'COMPLETED' : job.hasBegun ? 'RUNNING' : 'PENDING';
    facts.push({ id, vehicleIds, status, items });
  }
  return facts;
}

async function* itemsOf({ store }: BackOffice, jobId: string): AsyncGenerator<readonly BulkItem[]> {
  for (let afterPosition = -1; ; ) {
    const rows = await store.bulk.items({ jobId, afterPosition, limit: limits.pageRows });
    if (rows.length > 0) yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < limits.pageRows) return;
    afterPosition = last.position;
  }
}

type Pending = Awaited<ReturnType<Evidence['pending']>>;

/** What still waits, with the reason that the waiting side has. */
async function pendingOf({ actors, office, lookout, calls }: EvidenceParts): Promise<Pending> {
  const found: Pending[number][] = [];
  if (!office.isUp) found.push({ what: 'the service', reason: 'it is down' });
  const leftAway = new Set<string>();
  for (const actor of actors) {
    const { box } = actor;
    if (box === undefined) continue;
    const session = lookout.session(actor);
    const held = lookout.held(actor);
    if (session === 'ready' && held === 0) continue;
    if (isLeftAway(box)) {
      leftAway.add(actor.vehicleId);
      continue;
    }
    const { power, modem } = box.belief() as Loose;
    const reason = `its session is ${session}, its power ${String(power)}, its modem ${String(modem)}, its SIM card ${box.sim()}`;
    if (session !== 'ready') found.push({ what: 'the session of the box', reason, player: actor });
    if (held > 0)
      found.push({
        what: 'the journal of the box',
        reason: `it holds ${counted(held, 'record')}; ${reason}`,
        player: actor,
      });
  }
  const { messages } = await office.store.outbox.size();
  if (messages > 0)
    found.push({
      what: 'the outbox',
      reason: `${counted(messages, 'message is', 'messages are')} not confirmed`,
    });
  for (const { asked, player } of calls.open) {
    found.push({
      what: 'a call',
      reason: `${asked.method} ${asked.path} is not answered`,
      ...(player === undefined ? {} : { player }),
    });
  }
  for (const { id } of calls.jobs) {
    if (((await office.store.bulk.find(id))?.counts.pending ?? 0) === 0) continue;
    let pending = 0;
    for await (const page of itemsOf(office, id)) {
      for (const { status, vehicleId } of page) {
        if (status === 'pending' && !leftAway.has(vehicleId)) pending += 1;
      }
    }
    if (pending > 0)
      found.push({
        what: `the bulk job ${id}`,
        reason: `${counted(pending, 'vehicle is', 'vehicles are')} pending`,
      });
  }
  return found;
}
