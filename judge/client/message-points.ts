import { type Finding, failed, notSeen, passed } from '../verdict.ts';
import { limits } from './limits.ts';
import { type ObservedOf, type ObservedRun, ofKind } from './observed.ts';
import { countText, type Point } from './point.ts';

type Delivery = ObservedOf<'delivered'>;

const NO_WITNESS = 'it has reported none of its messages to its witness (BOXTWIN_WITNESS_URL)';

const deliveryText = (what: string, { messageId, vehicleId }: Delivery): string =>
  `message ${messageId}${vehicleId === undefined ? '' : ` of ${vehicleId}`} ${what}`;
const told = (what: string, deliveries: readonly Delivery[]): readonly Finding[] =>
  deliveries.map((one) => ({ atMs: one.atMs, text: deliveryText(what, one) }));

/** How a client processes messages. */
export const MESSAGE_POINTS = [
  {
    name: 'acknowledges',
    about: 'It acknowledges every message, and puts none back again and again.',
    judge(run) {
      const deliveries = ofKind(run.events, 'delivered').filter((one) => !one.isWithoutAcks);
      if (deliveries.length === 0)
        return notSeen('No message was delivered to it that has to be acknowledged.');
      const settled = new Map(ofKind(run.events, 'settled').map((one) => [one.delivery, one]));
      const gone = goneTimes(run);
      const forgotten = deliveries.filter(({ delivery, connection, atMs }) => {
        const overMs = settled.get(delivery)?.atMs ?? Math.min(gone.get(connection) ?? run.endMs, run.endMs);
        return overMs - atMs > limits.unsettledMs;
      });
      if (forgotten.length > 0)
        return failed(
          `${countText(forgotten.length, 'message')} stayed without an acknowledgement for more than ${limits.unsettledMs / 1_000} s.`,
          told('was not acknowledged', forgotten),
        );
      const returned = deliveries.filter(({ delivery }) => {
        const how = settled.get(delivery)?.how;
        return how === 'requeued' || how === 'rejected';
      });
      const worst = [...Map.groupBy(returned, ({ messageId }) => messageId).values()].find(
        ({ length }) => length > limits.requeues,
      );
      if (worst !== undefined)
        return failed(
          `A message was put back ${countText(worst.length, 'time')}.`,
          told('was put back', worst),
        );
      const count = [...settled.values()].filter(({ how }) => how === 'acknowledged').length;
      return count === 0
        ? notSeen(`${countText(deliveries.length, 'message')}, and the run ended before it settled them.`)
        : passed(`${count} of ${deliveries.length} deliveries acknowledged.`);
    },
  },
  {
    name: 'stores-first',
    about: 'It acknowledges a message only after it has stored it.',
    judge({ events }) {
      const deliveries = ofKind(events, 'delivered');
      const automatic = deliveries.filter((one) => one.isWithoutAcks);
      if (automatic.length > 0)
        return failed(
          'It consumes without acknowledgements: what is delivered is gone, whatever becomes of it.',
          told('was gone with its delivery', automatic),
        );
      const stored = new Set<string>();
      const byDelivery = new Map(deliveries.map((one) => [one.delivery, one]));
      const early: Delivery[] = [];
      let acknowledged = 0;
      for (const event of events) {
        if (event.kind === 'stored') stored.add(event.messageId);
        if (event.kind !== 'settled' || event.how !== 'acknowledged') continue;
        acknowledged++;
        const delivery = byDelivery.get(event.delivery);
        if (delivery !== undefined && !stored.has(delivery.messageId)) early.push(delivery);
      }
      if (acknowledged === 0) return notSeen('It has acknowledged no message.');
      if (stored.size === 0) return notSeen(`Whether it had stored them before: ${NO_WITNESS}.`);
      if (early.length > 0)
        return failed(
          `${countText(early.length, 'message')} acknowledged before it was stored.`,
          told('was acknowledged before it was stored', early),
        );
      return passed(
        `${countText(acknowledged, 'acknowledgement')}, and each message had been stored before.`,
      );
    },
  },
  {
    name: 'prefetch',
    about: 'It bounds how many messages it has without having acknowledged them (basic.qos).',
    judge({ events }) {
      const consumers = ofKind(events, 'subscribed').filter((one) => !one.isWithoutAcks);
      if (consumers.length === 0) return notSeen('It has not consumed with acknowledgements.');
      const unbounded = consumers.filter(({ prefetch }) => prefetch === 0);
      if (unbounded.length > 0)
        return failed(
          'The broker sends it all that a queue has, however much that is.',
          unbounded.map(({ atMs, queue }) => ({ atMs, text: `consumes ${queue} without a prefetch` })),
        );
      return passed(
        `A prefetch of ${[...new Set(consumers.map(({ prefetch }) => prefetch))].join(', ')} with each consumer.`,
      );
    },
  },
  {
    name: 'duplicates',
    about: 'A message that comes a second time it acknowledges, and does not count again.',
    judge({ events }) {
      const deliveries = ofKind(events, 'delivered');
      const repeated = [...Map.groupBy(deliveries, ({ messageId }) => messageId).values()].filter(
        ({ length }) => length > 1,
      );
      if (repeated.length === 0) return notSeen('No message came to it a second time.');
      const settled = new Map(ofKind(events, 'settled').map((one) => [one.delivery, one.how]));
      const refused = repeated.flatMap((same) =>
        same.slice(1).filter(({ delivery }) => settled.get(delivery) === 'rejected'),
      );
      if (refused.length > 0)
        return failed('It refused messages that came again.', told('was refused the second time', refused));
      const stored = ofKind(events, 'stored');
      if (stored.length === 0)
        return notSeen(`${countText(repeated.length, 'message')} came again; ${NO_WITNESS}.`);
      const counts = Map.groupBy(stored, ({ messageId }) => messageId);
      const doubled = repeated.filter(([first]) => (counts.get(first?.messageId ?? '')?.length ?? 0) > 1);
      if (doubled.length > 0)
        return failed(
          `${countText(doubled.length, 'message')} came again and was counted again.`,
          told(
            'came again and was counted again',
            doubled.flatMap((same) => same.slice(1)),
          ),
        );
      return passed(
        `${countText(repeated.length, 'message')} came again, and none was counted twice.`,
        told(
          'came again',
          repeated.flatMap((same) => same.slice(1)),
        ),
      );
    },
  },
  {
    name: 'disorder',
    about: 'An older state that comes after a newer one does not replace it.',
    judge({ events }) {
      const late = olderThanBefore(ofKind(events, 'delivered'));
      if (late.length === 0) return notSeen('No older state came to it after a newer one.');
      const vehicles = new Map(ofKind(events, 'delivered').map((one) => [one.messageId, one.vehicleId]));
      const holding = ofKind(events, 'stored').filter(({ held }) => held !== undefined);
      if (holding.length === 0)
        return notSeen(
          `${countText(late.length, 'message')} came late; it has not reported the times of its values to its witness ("held").`,
        );
      const newest = new Map<string, number>();
      const back: Finding[] = [];
      for (const { messageId, held = {}, atMs } of holding) {
        for (const [property, recordedMs] of Object.entries(held)) {
          const key = `${vehicles.get(messageId)} ${property}`;
          const before = newest.get(key) ?? recordedMs;
          if (recordedMs < before)
            back.push({ atMs, text: `${key} went back by ${(before - recordedMs) / 1_000} s` });
          newest.set(key, Math.max(before, recordedMs));
        }
      }
      if (back.length > 0) return failed('A newer value was replaced by an older one.', back);
      return passed(
        `${countText(late.length, 'message')} came late, and no value went back.`,
        told('came late', late),
      );
    },
  },
] as const satisfies readonly Point[];

/** Messages with an older value than one that was delivered already, of the same vehicle and property. */
function olderThanBefore(deliveries: readonly Delivery[]): readonly Delivery[] {
  const newest = new Map<string, number>();
  const seen = new Set<string>();
  return deliveries.filter(({ messageId, vehicleId, recorded }) => {
    let isOlder = false;
    for (const [property, atMs] of Object.entries(recorded)) {
      const key = `${vehicleId} ${property}`;
      const before = newest.get(key) ?? atMs;
      isOlder ||= atMs < before;
      newest.set(key, Math.max(before, atMs));
    }
    const isFirst = !seen.has(messageId);
    seen.add(messageId);
    return isOlder && isFirst;
  });
}

/** When each connection ended. */
function goneTimes({ events }: ObservedRun): ReadonlyMap<number, number> {
  return new Map(ofKind(events, 'disconnected').map(({ connection, atMs }) => [connection, atMs]));
}
