import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeAmqpFrame } from '../../../../brokers/amqp/codec/frames.ts';
import { encodeMethod } from '../../../../brokers/amqp/codec/method-codec.ts';
import { encodeContentHeader, encodeProperties } from '../../../../brokers/amqp/codec/properties.ts';
import { REPLY_CODES } from '../../../../brokers/amqp/faults.ts';
import { anyMethod, table } from '../../../support/amqp/any-method.ts';
import { CoreBroker, type CorePeer, PROTOCOL_HEADER } from '../../../support/amqp/core-broker.ts';

const payload = fc.oneof(
  { weight: 6, arbitrary: anyMethod.map(({ name, args }) => encodeMethod(name, args as never)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 30 }) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(table, fc.nat({ max: 20 }))
      .map(([headers, size]) => encodeContentHeader(encodeProperties({ headers }), size)),
  },
);
const frame = fc
  .tuple(fc.constantFrom(1, 1, 1, 1, 2, 3, 8, 9), fc.constantFrom(0, 1, 1, 1, 2), payload)
  .map(([type, channel, bytes]) => encodeAmqpFrame(type, channel, bytes));
/** Valid frames, some with changed octets, and noise. */
const stream = fc
  .tuple(
    fc.array(
      fc.oneof({ weight: 9, arbitrary: frame }, { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }) }),
      {
        minLength: 1,
        maxLength: 12,
      },
    ),
    fc.array(fc.tuple(fc.nat(), fc.nat({ max: 255 })), { maxLength: 2 }),
  )
  .map(([frames, turns]) => {
    const bytes = Buffer.concat(frames);
    for (const [at, value] of turns) if (bytes.length > 0) bytes[at % bytes.length] = value;
    return bytes;
  });
const cuts = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 });

function inPieces(peer: CorePeer, bytes: Uint8Array, sizes: readonly number[]): void {
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    peer.bytes(bytes.subarray(at, at + size));
    at += size;
  }
}

/** The codes that a close may have. */
const known = (peer: CorePeer) =>
  peer.said
    .filter(({ name }) => name === 'connection.close' || name === 'channel.close')
    .every(({ args }) => {
      const name = Object.entries(REPLY_CODES).find(([code]) => Number(code) === args['replyCode'])?.[1];
      return name !== undefined && String(args['replyText']).startsWith(name);
    });

test.each(['greeted', 'running'] as const)(
  'any bytes in any pieces, from %s on: nothing is thrown, each close has its code, and others are served',
  (phase) => {
    fc.assert(
      fc.property(stream, cuts, (bytes, sizes) => {
        const bench = new CoreBroker();
        const bad = phase === 'running' ? bench.client() : bench.peer();
        const good = bench.client();
        if (phase === 'greeted') bad.bytes(PROTOCOL_HEADER);
        inPieces(bad, bytes, sizes);
        bench.commit();
        expect(known(bad)).toBe(true);
        good.declare('of the good');
        good.publish('of the good', 'x');
        expect(good.get('of the good')?.body).toBe('x');
        bench.step({ kind: 'gone', connection: bad.id });
        bench.step({ kind: 'gone', connection: good.id });
        expect(bench.state.connections.size).toBe(0);
      }),
      { numRuns: 150 },
    );
  },
);

test('the same bytes give the same answers, however they are chunked', () => {
  fc.assert(
    fc.property(stream, cuts, (bytes, sizes) => {
      const said = [[bytes.length || 1], sizes].map((each) => {
        const peer = new CoreBroker().client();
        inPieces(peer, bytes, each);
        // Confirms are sent together with the chunk that causes them.
        const isConfirm = (name: string) => name === 'basic.ack' || name === 'basic.nack';
        return peer.said
          .filter(({ name }) => !isConfirm(name))
          .map(({ name, channel, args, body }) => [name, channel, args, body]);
      });
      expect(said[1]).toEqual(said[0]);
    }),
    { numRuns: 100 },
  );
});
