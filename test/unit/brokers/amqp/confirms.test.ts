import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tableOf } from '../../../../brokers/amqp/codec/fields.ts';
import { encodeAmqpFrame, encodeBody, FRAME } from '../../../../brokers/amqp/codec/frames.ts';
import { encodeContentHeader, encodeProperties } from '../../../../brokers/amqp/codec/properties.ts';
import { methodFrame } from '../../../../brokers/amqp/sending.ts';
import { CoreBroker, type CorePeer } from '../../../support/amqp/core-broker.ts';

const publication = (queue: string, isPersistent: boolean) =>
  Buffer.concat([
    methodFrame(1, 'basic.publish', {
      reserved1: 0,
      exchange: '',
      routingKey: queue,
      mandatory: false,
      immediate: false,
    }),
    encodeAmqpFrame(
      FRAME.header,
      1,
      encodeContentHeader(encodeProperties({ deliveryMode: isPersistent ? 2 : 1 }), 1),
    ),
    ...encodeBody(1, Buffer.from('x'), 4_096),
  ]);

/** The confirms and refusals sent: kind, tag, and whether they are `multiple`. */
const words = ({ said }: CorePeer) =>
  said
    .filter(({ name }) => name === 'basic.ack' || name === 'basic.nack')
    .map(({ name, args }) => [name, Number(args['deliveryTag']), args['multiple'] === true] as const);

function confirming(bench: CoreBroker): CorePeer {
  const peer = bench.client();
  peer.declare('kept', { durable: true });
  peer.declare('one', { arguments: tableOf({ 'x-max-length': 1, 'x-overflow': 'reject-publish' }) });
  bench.commit();
  peer.send(1, 'confirm.select', { noWait: true });
  peer.said.length = 0;
  return peer;
}

describe('confirms', () => {
  test('transient messages that arrive together are confirmed by one method', () => {
    const peer = confirming(new CoreBroker());
    peer.bytes(Buffer.concat(Array.from({ length: 50 }, () => publication('kept', false))));
    expect(words(peer)).toEqual([['basic.ack', 50, true]]);
  });

  test('a multiple confirm does not include a persistent message that is not on disk', () => {
    const bench = new CoreBroker();
    const peer = confirming(bench);
    const order = [false, false, true, false, false];
    peer.bytes(Buffer.concat(order.map((isPersistent) => publication('kept', isPersistent))));
    expect(words(peer)).toEqual([
      ['basic.ack', 2, true],
      ['basic.ack', 4, false],
      ['basic.ack', 5, false],
    ]);
    bench.commit();
    expect(words(peer).at(-1)).toEqual(['basic.ack', 3, false]);
  });

  test('refusals are sent separately', () => {
    const peer = confirming(new CoreBroker());
    const queues = ['kept', 'one', 'one', 'one', 'kept'];
    peer.bytes(Buffer.concat(queues.map((queue) => publication(queue, false))));
    expect(words(peer)).toEqual([
      ['basic.ack', 2, true],
      ['basic.ack', 5, false],
      ['basic.nack', 3, false],
      ['basic.nack', 4, false],
    ]);
  });

  test('they are sent before the close of their channel', () => {
    const peer = confirming(new CoreBroker());
    const close = methodFrame(1, 'channel.close', {
      replyCode: 200,
      replyText: '',
      classId: 0,
      methodId: 0,
    });
    peer.bytes(Buffer.concat([publication('kept', false), publication('kept', false), close]));
    expect(peer.names()).toEqual(['basic.ack', 'channel.close-ok']);
  });

  test('in any order, each publication is confirmed or refused once, and none before it is on disk', () => {
    const deed = fc.constantFrom('transient', 'persistent', 'to the small queue', 'commit', 'end of piece');
    fc.assert(
      fc.property(fc.array(deed, { maxLength: 60 }), (deeds) => {
        const bench = new CoreBroker();
        const peer = confirming(bench);
        const kinds: string[] = [];
        const settled = new Map<number, string>();
        let piece: Uint8Array[] = [];
        let committed = 0;
        const look = () => {
          for (const [name, tag, isMultiple] of words(peer)) {
            const tags = isMultiple ? Array.from({ length: tag }, (_, index) => index + 1) : [tag];
            // With `multiple`, a client takes it for all tags that are still open.
            for (const each of tags.filter((one) => isMultiple && !settled.has(one))) settled.set(each, name);
            if (isMultiple) continue;
            expect(settled.has(tag)).toBe(false);
            settled.set(tag, name);
          }
          peer.said.length = 0;
        };
        const send = () => {
          if (piece.length > 0) peer.bytes(Buffer.concat(piece));
          piece = [];
          look();
          for (const [index, kind] of kinds.entries())
            if (kind === 'persistent') expect(settled.has(index + 1)).toBe(index < committed);
            else expect(settled.has(index + 1)).toBe(true);
        };
        for (const each of deeds) {
          if (each === 'end of piece' || each === 'commit') {
            send();
            if (each === 'end of piece') continue;
            committed = kinds.length;
            bench.commit();
            send();
            continue;
          }
          piece.push(publication(each === 'to the small queue' ? 'one' : 'kept', each === 'persistent'));
          kinds.push(each);
        }
        send();
        const small = kinds.flatMap((kind, index) => (kind === 'to the small queue' ? [index + 1] : []));
        expect([...settled].filter(([, name]) => name === 'basic.nack').map(([tag]) => tag)).toEqual(
          small.slice(1),
        );
      }),
    );
  });
});
