import fc from 'fast-check';
import { expect, test } from 'vitest';
import { takeJournal } from '../../brokers/amqp/core.ts';
import type { JournalRecord } from '../../brokers/amqp/state.ts';
import { MessageStore } from '../../brokers/amqp/store/message-store.ts';
import { restore } from '../../brokers/amqp/store/restore.ts';
import { CoreBroker, type CorePeer, type ReceivedMethod } from '../support/amqp/core-broker.ts';

type Deed =
  | { readonly kind: 'publish' | 'commit' | 'commit-failed' | 'reconnect' | 'crash' }
  | { readonly kind: 'ack' | 'ack-up-to' | 'requeue'; readonly which: number };

const which = fc.nat({ max: 5 });
const deed: fc.Arbitrary<Deed> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ kind: 'publish' } as const) },
  { weight: 3, arbitrary: fc.constant({ kind: 'commit' } as const) },
  { weight: 1, arbitrary: fc.constantFrom({ kind: 'commit-failed' }, { kind: 'reconnect' }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'crash' } as const) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constantFrom('ack', 'ack-up-to', 'requeue'), which }) },
) as fc.Arbitrary<Deed>;

/** A broker with its file, one publisher with confirms and one consumer, and what each has seen. */
class Scene {
  readonly #shelf = new MessageStore(':memory:');
  readonly #prefetch: number;
  #bench = new CoreBroker();
  #publisher: CorePeer;
  #consumer: CorePeer;
  /** Not on disk, because a commit failed. */
  #open: JournalRecord[] = [];
  /** By the tag that the publisher counts. */
  #tags: number[] = [];
  #published = 0;
  /** Deliveries that the consumer has in its hands, by tag. */
  #inHands = new Map<bigint, number>();
  readonly confirmed = new Set<number>();
  readonly acknowledged = new Set<number>();
  /** Of those, whose end is on disk. */
  readonly forgotten = new Set<number>();
  /** Delivered in this life of the broker and not requeued since. */
  #seen = new Set<number>();
  /** Delivered before, in any life. */
  readonly #everSeen = new Set<number>();

  constructor(prefetch: number) {
    this.#prefetch = prefetch;
    this.#publisher = this.#bench.client();
    this.#publisher.declare('kept', { durable: true });
    this.#consumer = this.#bench.client();
    this.#commit();
    this.#begin();
  }

  do(each: Deed): void {
    if (each.kind === 'publish') {
      this.#tags.push(this.#published);
      this.#publisher.publish('kept', `${this.#published++}`, { deliveryMode: 2 });
    } else if (each.kind === 'commit') this.#commit();
    else if (each.kind === 'commit-failed') this.#failToCommit();
    else if (each.kind === 'reconnect') this.#reconnect();
    else if (each.kind === 'crash') this.#crash();
    else if ('which' in each) this.#settle(each.kind, each.which);
    this.#look();
  }

  #begin(): void {
    this.#publisher.send(1, 'confirm.select', { noWait: true });
    this.#consumer.send(1, 'basic.qos', { prefetchSize: 0, prefetchCount: this.#prefetch, global: false });
    this.#consumer.consume('kept');
    this.#look();
  }

  #commit(): void {
    const { records: entrances, journalCount: entered } = takeJournal(this.#bench.state);
    this.#shelf.commit([...this.#open, ...entrances]);
    this.#open = [];
    for (const each of this.acknowledged) this.forgotten.add(each);
    this.#bench.step({ kind: 'committed', journalCount: entered });
  }

  #failToCommit(): void {
    this.#open.push(...takeJournal(this.#bench.state).records);
    this.#bench.step({ kind: 'commit-failed' });
  }

  #reconnect(): void {
    this.#bench.step({ kind: 'gone', connection: this.#consumer.id });
    for (const each of this.#inHands.values()) this.#seen.delete(each);
    this.#inHands.clear();
    this.#consumer = this.#bench.client();
    this.#begin();
  }

  /** The process crashes: only the file is left. */
  #crash(): void {
    this.#bench = new CoreBroker();
    restore(this.#bench.state, this.#shelf.load());
    this.#open = [];
    this.#tags = [];
    this.#inHands.clear();
    this.#seen = new Set();
    // An acknowledgement that was not on disk is lost, and none was confirmed to a client.
    for (const each of this.acknowledged) if (!this.forgotten.has(each)) this.acknowledged.delete(each);
    this.#publisher = this.#bench.client();
    this.#consumer = this.#bench.client();
    this.#begin();
  }

  #settle(kind: 'ack' | 'ack-up-to' | 'requeue', index: number): void {
    const held = [...this.#inHands];
    const last = held[index % Math.max(1, held.length)];
    if (last === undefined) return;
    const [deliveryTag] = last;
    const isAwaited = this.#bench.state.isAwaited;
    const settled = kind === 'ack-up-to' ? held.filter(([tag]) => tag <= deliveryTag) : [last];
    for (const [tag, number] of settled) {
      this.#inHands.delete(tag);
      if (kind === 'requeue') this.#seen.delete(number);
      else this.acknowledged.add(number);
    }
    if (kind === 'requeue')
      this.#consumer.send(1, 'basic.nack', { deliveryTag, multiple: false, requeue: true });
    else this.#consumer.send(1, 'basic.ack', { deliveryTag, multiple: kind === 'ack-up-to' });
    // Nobody waits for the commit of an acknowledgement.
    expect(this.#bench.state.isAwaited).toBe(isAwaited);
  }

  #look(): void {
    for (const said of this.#consumer.said.splice(0)) if (said.name === 'basic.deliver') this.#take(said);
    for (const { name, args } of this.#publisher.said.splice(0)) {
      if (name !== 'basic.ack') continue;
      const tag = Number(args['deliveryTag']);
      for (let at = args['multiple'] === true ? 1 : tag; at <= tag; at++) {
        const number = this.#tags[at - 1];
        if (number !== undefined) this.confirmed.add(number);
      }
    }
  }

  #take({ args, body }: ReceivedMethod): void {
    const number = Number(body);
    // Not twice in one life unless it was given back, and never after its acknowledgement was written down.
    expect(this.#seen.has(number)).toBe(false);
    expect(this.acknowledged.has(number)).toBe(false);
    expect(this.forgotten.has(number)).toBe(false);
    if (this.#everSeen.has(number)) expect(args['redelivered']).toBe(true);
    this.#seen.add(number);
    this.#everSeen.add(number);
    const tag = args['deliveryTag'];
    if (typeof tag === 'bigint') this.#inHands.set(tag, number);
  }

  /** All remaining messages, read by a new consumer after one more crash. */
  left(): readonly number[] {
    this.#crash();
    const reader = this.#bench.client();
    this.#bench.step({ kind: 'gone', connection: this.#consumer.id });
    const numbers: number[] = [];
    for (let said = reader.get('kept'); said !== undefined; said = reader.get('kept'))
      numbers.push(Number(said.body));
    this.#shelf.close();
    return numbers;
  }
}

test('whatever crashes when: confirmed messages without acknowledgement are kept, and acknowledged ones are redelivered only if their commit was lost', () => {
  fc.assert(
    fc.property(fc.array(deed, { maxLength: 80 }), fc.integer({ min: 1, max: 4 }), (deeds, prefetch) => {
      const scene = new Scene(prefetch);
      for (const each of deeds) scene.do(each);
      const left = scene.left();
      expect(left).toEqual([...left].sort((one, other) => one - other));
      expect(new Set(left).size).toBe(left.length);
      expect(
        [...scene.confirmed].filter((each) => !scene.forgotten.has(each) && !left.includes(each)),
      ).toEqual([]);
      expect(left.filter((each) => scene.forgotten.has(each))).toEqual([]);
    }),
    { numRuns: 300 },
  );
});
