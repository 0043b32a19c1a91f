import { describe, expect, test } from 'vitest';
import { encodeFrame, payloadOf } from '../../../../protocol/frame.ts';
import type { Frame, Message } from '../../../../protocol/message.ts';
import { booksOf, OF_RECEIPTS, OF_REQUESTS } from '../../../../scenarios/checkers/books.ts';
import { ALL_KINDS } from '../../../../scenarios/run/books.ts';
import { FrameLog } from '../../../../scenarios/theatre/frame-log.ts';
import { MessageHeads } from '../../../../scenarios/theatre/message-head.ts';
import { KeptMessage, QueueBook } from '../../../../scenarios/theatre/queue-book.ts';
import { WireLedger } from '../../../../scenarios/wire-ledger.ts';

const BOX = '00000000000000b1';

const frame = (sequence: number, message: Message): Frame => ({
  generation: 2,
  epoch: 3,
  boot: 1,
  sequence,
  clockMs: 1_000,
  message,
});
const heartbeat = (sequence: number): Frame => frame(sequence, { kind: 'heartbeat', signals: {} } as Message);
const receipt = (contiguous: number): Frame =>
  frame(0, { kind: 'receipt', contiguous, ranges: [[contiguous + 2, contiguous + 3]] } as Message);

function logOf(kinds: typeof ALL_KINDS): FrameLog {
  const log = new FrameLog(kinds);
  log.take(BOX, 'up', 1, encodeFrame(heartbeat(1)));
  log.take(BOX, 'down', 2, encodeFrame(receipt(1)));
  log.take(BOX, 'up', 3, payloadOf([heartbeat(2), heartbeat(3)]));
  log.take(BOX, 'down', 4, payloadOf([receipt(2), receipt(3)]));
  return log;
}
const kindsIn = (log: FrameLog, kinds: typeof ALL_KINDS) =>
  [...log.frames(BOX, kinds)].map(({ atMs, message }) => `${atMs} ${message.kind}`);

describe('the book of frames', () => {
  test('hands over every frame, oldest first', () => {
    expect(kindsIn(logOf(ALL_KINDS), ALL_KINDS)).toEqual([
      '1 heartbeat',
      '2 receipt',
      '3 heartbeat',
      '3 heartbeat',
      '4 receipt',
      '4 receipt',
    ]);
  });

  test('of all hands over those that are asked for', () => {
    expect(kindsIn(logOf(ALL_KINDS), OF_RECEIPTS)).toEqual(['2 receipt', '4 receipt', '4 receipt']);
  });

  test('keeps what it was opened for, and refuses what it has not kept', () => {
    const log = logOf(OF_RECEIPTS);
    expect(kindsIn(log, OF_RECEIPTS)).toEqual(['2 receipt', '4 receipt', '4 receipt']);
    expect(() => kindsIn(log, OF_REQUESTS)).toThrow(
      'Frames of the kind command, configuration, reply were not kept.',
    );
  });

  test('keeps a payload that is not frames from end to end, for the decoder to find what is in it', () => {
    const log = new FrameLog(OF_RECEIPTS);
    log.take(BOX, 'down', 1, Uint8Array.of(1, 2, 3, ...encodeFrame(receipt(1))));
    expect(kindsIn(log, OF_RECEIPTS)).toEqual(['1 receipt']);
  });
});

describe('the book of queues', () => {
  const stored = {
    exchange: 'events',
    routingKey: 'F.StateReceived',
    type: 'service.StateReceived',
    messageId: 'M1',
    timestampS: 1,
    contentType: 'application/json',
    headers: {},
    storedMs: 5,
    body: Buffer.from('{"metadata":{},"data":{"vehicle_id":"V1"}}'),
  };

  test('without bodies it throws where one is read', () => {
    const book = new QueueBook('heads');
    book.take(new KeptMessage('queue', 'V1', 'StateReceived', stored, false));
    const [message] = [...book.messages('queue', 'F')];
    expect(message).toMatchObject({ messageId: 'M1', vehicleId: 'V1', fleetId: 'F', atMs: 5 });
    expect(() => message?.body).toThrow('The body of message M1 was not kept.');
  });

  test('a book that is not kept is not read', () => {
    expect(() => [...new QueueBook('none').messages('queue', 'F')]).toThrow('Messages were not kept.');
  });

  test('the id of the vehicle is found wherever it stands', () => {
    const heads = new MessageHeads();
    const read = (body: string) => heads.read('service.StateReceived', Buffer.from(body));
    expect(read('{"data":{"vehicle_id":"V1"}}')).toEqual({ name: 'StateReceived', vehicleId: 'V1' });
    expect(read('{"data":{"vehicle_id":"V22"}}').vehicleId).toBe('V22');
    expect(read('{"metadata":{},"data":{"vehicle_id":"V3"}}').vehicleId).toBe('V3');
    expect(read('{"data":{}}').vehicleId).toBe('');
    expect(read('').vehicleId).toBe('');
  });
});

describe('the books of a run', () => {
  test('are those that its checkers read', () => {
    expect(booksOf([])).toEqual({ frames: new Set(), messages: 'none', truth: false });
    expect(booksOf(['heals', 'within-bounds'])).toEqual({
      frames: new Set(),
      messages: 'none',
      truth: false,
    });
    expect(booksOf(['heals', 'twin-is-true'])).toEqual({ frames: new Set(), messages: 'none', truth: true });
    expect(booksOf(['nothing-lost', 'one-result-per-vehicle'])).toEqual({
      frames: new Set([...OF_RECEIPTS, ...OF_REQUESTS]),
      messages: 'heads',
      truth: false,
    });
    expect(booksOf(['nothing-doubled', 'nothing-lost'])).toEqual({
      frames: ALL_KINDS,
      messages: 'whole',
      truth: false,
    });
  });
});

describe('the ledger of the wire', () => {
  test('knows what went up, what was receipted and what was given up', () => {
    const ledger = new WireLedger();
    const who = `box/${BOX}`;
    ledger.take({ who, what: 'frame-up', bytes: payloadOf([heartbeat(1), heartbeat(2)]) });
    ledger.take({ who, what: 'frame-down', bytes: encodeFrame(receipt(2)) });
    ledger.take({ who, what: 'connect' });
    ledger.take({
      who,
      what: 'frame-up',
      bytes: encodeFrame(
        frame(6, { kind: 'tombstone', first: 3, last: 3, reports: 1, events: 0, replies: 0 } as Message),
      ),
    });
    const journal = ledger.journals(BOX).get(3);
    expect(journal).toMatchObject({
      sent: new Set([1, 2, 6]),
      receipted: [
        [1, 2],
        [4, 5],
      ],
    });
    expect(journal?.tombstones.get(6)).toEqual({ covers: [3, 3], lost: 1 });
    expect(ledger.journals('00000000000000b2').size).toBe(0);
  });
});
