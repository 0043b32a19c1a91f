import { FLOW_ID_HEADER } from '../../../../backend/http/flow-id.ts';
import type { OpenCommand } from '../../../../backend/store/port/command-store.ts';
import type { IngestBatch, IngestResult } from '../../../../backend/store/port/ingest-store.ts';
import type { Store } from '../../../../backend/store/port/store.ts';
import type { StoreCall, StoreOutcome } from '../../../../backend/store/port/store-calls.ts';
import type { EarlyEffect, EffectHistory, EffectKind } from '../../../../judge/evidence/effect-history.ts';
import { decodePayload } from '../../../../protocol/codec/frame.ts';
import type { Receipt } from '../../../../protocol/message.ts';
import type { MessageKindName } from '../../../../protocol/message-kinds.ts';
import { parseTopic } from '../../../../protocol/topics.ts';
import type { World } from '../../../../world/world.ts';
import { testbedLimits } from '../../../limits.ts';
import { withMethod } from '../faults/with-method.ts';
import { codesOf, holdsAnyKind } from '../frame-ends.ts';

/** The sequences of a journal that the store has. */
type Stored = Pick<Receipt, 'contiguous' | 'ranges'>;

const RECEIPTS = codesOf(new Set<MessageKindName>(['receipt']));
const NONE: Stored = { contiguous: 0, ranges: [] };

/**
 * The order of causes and effects, watched at the ports of the backends and at the store. It compares each effect when it
 * happens with what the store has carried out by then, of all backends, and keeps only what was early.
 */
export class EffectRecording {
  readonly #nowMs: () => number;
  readonly #counts: Record<EffectKind, number> = { receipt: 0, message: 0, mark: 0, answer: 0 };
  readonly #early: EarlyEffect[] = [];
  /** By `box id/epoch`. */
  readonly #stored = new Map<string, Stored>();
  /** The ids of messages that were written and not yet marked as sent, by position. */
  readonly #unsent = new Map<number, string>();
  /** The same ids; true: the broker has confirmed the message. */
  readonly #isConfirmed = new Map<string, boolean>();
  /** Ids of messages that were published, and that no commit known here has written yet; the oldest go first. */
  readonly #published = new Map<string, number>();
  /** The requests to boxes that were opened under a flow id, until one of them has its outcome. */
  readonly #open = new Map<string, string[]>();
  readonly #flows = new Map<string, string>();

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  history(): EffectHistory {
    return { counts: this.#counts, early: this.#early };
  }

  /** The world of a backend, with what it sends to boxes and to the exchange watched. */
  wrapWorld<W extends Pick<World, 'mqtt' | 'amqp'>>(world: W): W {
    const { mqtt, amqp } = world;
    return {
      ...world,
      mqtt: {
        open: async (options, events) => {
          const session = await mqtt.open(options, events);
          return {
            present: session.present,
            publish: (message) => {
              this.#sentDown(message.topic, message.payload);
              return session.publish(message);
            },
            subscribe: (filter) => session.subscribe(filter),
            end: () => session.end(),
            drop: () => session.drop(),
          };
        },
      },
      ...(amqp === undefined
        ? {}
        : {
            amqp: {
              open: async (options, events) => {
                const session = await amqp.open(options, events);
                return withMethod(session, 'publish', (message) => {
                  this.#publishedTo(message.messageId);
                  const confirm = session.publish(message);
                  confirm.then(
                    (verdict) => verdict !== 'refused' && this.#confirmedBy(message.messageId),
                    () => undefined,
                  );
                  return confirm;
                });
              },
            } satisfies World['amqp'],
          }),
    };
  }

  /** The store as a backend sees it, with its marks watched. */
  wrapStore(store: Store): Store {
    const outbox = withMethod(store.outbox, 'sent', (positions: readonly number[]) => {
      for (const position of positions) this.#marked(position);
      return store.outbox.sent(positions);
    });
    return { ...store, outbox, close: () => store.close() };
  }

  /** The store has carried out these calls, in this order. */
  carriedOut(calls: readonly StoreCall[], outcomes: readonly StoreOutcome[]): void {
    for (const [index, { part, name, parameters }] of calls.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined || !('value' in outcome)) continue;
      if (part === 'ingest' && name === 'commit')
        this.#committed(parameters[0] as IngestBatch, outcome.value as IngestResult);
      else if (part === 'commands' && name === 'open' && outcome.value === 'opened')
        this.#opened(parameters[0] as OpenCommand);
    }
  }

  /** A request was answered. */
  answered({ status, headers }: Pick<Response, 'status' | 'headers'>): void {
    const flowId = headers.get(FLOW_ID_HEADER) ?? '';
    const requests = this.#open.get(flowId);
    if (requests === undefined) return;
    this.#forget(flowId);
    if (status >= 300) return;
    this.#note('answer', {
      atMs: this.#nowMs(),
      text: `flow ${flowId} was answered with ${status}, and its request ${requests.join(', ')} is open`,
    });
  }

  #committed(batch: IngestBatch, { stale, lostLeases = [], written = [] }: IngestResult): void {
    if (stale.length > 0 || lostLeases.length > 0) return;
    for (const { boxId, journal } of batch.boxes) {
      if (journal === undefined) continue;
      for (const { epoch, contiguous, ranges } of [journal, ...(journal.left ?? [])])
        this.#stored.set(`${boxId}/${epoch}`, { contiguous, ranges });
    }
    for (const { messageId, vehicleId } of batch.messages) {
      this.#counts.message += 1;
      const atMs = this.#published.get(messageId);
      this.#published.delete(messageId);
      if (atMs !== undefined) this.#note('message', { atMs, text: `message ${messageId}`, of: vehicleId });
    }
    for (const { position, messageId } of written) {
      this.#unsent.set(position, messageId);
      this.#isConfirmed.set(messageId, false);
    }
    for (const { reply } of batch.replies) this.#settled(reply.requestId);
  }

  #sentDown(topic: string, payload: Uint8Array): void {
    if (!holdsAnyKind(payload, RECEIPTS)) return;
    const { boxId = '' } = parseTopic(topic) ?? {};
    for (const { frame } of decodePayload(payload).frames) {
      const { epoch, message } = frame;
      if (message.kind !== 'receipt') continue;
      this.#counts.receipt += 1;
      const stored = this.#stored.get(`${boxId}/${epoch}`) ?? NONE;
      if (!isWithin(message, stored))
        this.#note('receipt', {
          atMs: this.#nowMs(),
          text: `a receipt to ${boxId} of epoch ${epoch} names 1 to ${rangesText(message)}; stored are 1 to ${rangesText(stored)}`,
          of: boxId,
        });
    }
  }

  #publishedTo(messageId: string): void {
    this.#published.set(messageId, this.#nowMs());
    if (this.#published.size <= testbedLimits.publishedIds) return;
    const [oldest] = this.#published.keys();
    if (oldest !== undefined) this.#published.delete(oldest);
  }

  #confirmedBy(messageId: string): void {
    if (this.#isConfirmed.has(messageId)) this.#isConfirmed.set(messageId, true);
  }

  #marked(position: number): void {
    const messageId = this.#unsent.get(position);
    if (messageId === undefined) return;
    this.#counts.mark += 1;
    if (this.#isConfirmed.get(messageId) !== true)
      this.#note('mark', { atMs: this.#nowMs(), text: `message ${messageId} at position ${position}` });
    this.#unsent.delete(position);
    this.#isConfirmed.delete(messageId);
  }

  #opened({ boxId, flowId, requestId }: OpenCommand): void {
    if (boxId === undefined) return;
    this.#open.set(flowId, [...(this.#open.get(flowId) ?? []), requestId]);
    this.#flows.set(requestId, flowId);
    const [oldest] = this.#open.keys();
    if (this.#open.size > testbedLimits.openFlows && oldest !== undefined) this.#forget(oldest);
  }

  #settled(requestId: string): void {
    const flowId = this.#flows.get(requestId);
    if (flowId === undefined) return;
    this.#counts.answer += 1;
    this.#forget(flowId);
  }

  #forget(flowId: string): void {
    for (const request of this.#open.get(flowId) ?? []) this.#flows.delete(request);
    this.#open.delete(flowId);
  }

  #note(kind: EffectKind, early: Omit<EarlyEffect, 'kind'>): void {
    if (this.#early.length < testbedLimits.earlyEffects) this.#early.push({ kind, ...early });
  }
}

/** Whether everything that the receipt names is stored. */
function isWithin({ contiguous, ranges }: Stored, stored: Stored): boolean {
  if (contiguous > stored.contiguous) return false;
  return ranges.every(
    ([first, last]) =>
      last <= stored.contiguous || stored.ranges.some(([low, high]) => low <= first && last <= high),
  );
}

/** `12, 15 to 17` */
function rangesText({ contiguous, ranges }: Stored): string {
  return [String(contiguous), ...ranges.map(([first, last]) => `${first} to ${last}`)].join(', ');
}
