import { describe, expect, test } from 'vitest';
import { RECEIPT_KINDS, REQUEST_KINDS, recordingsOf } from '../../../../../../judge/checkers.ts';
import { ALL_FRAME_KINDS } from '../../../../../../judge/recordings.ts';
import { readJournals } from '../../../../../../judge/rules/journal-recording.ts';
import { encodeFrame, payloadOf } from '../../../../../../protocol/codec/frame.ts';
import type { Frame, Message } from '../../../../../../protocol/message.ts';
import { MessageHeads } from '../../../../../../scenarios/testbed/common/message-head.ts';
import { FrameRecording } from '../../../../../../scenarios/testbed/common/recordings/frame-recording.ts';
import {
  QueueRecording,
  RecordedMessage,
} from '../../../../../../scenarios/testbed/common/recordings/queue-recording.ts';

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

function logOf(kinds: typeof ALL_FRAME_KINDS): FrameRecording {
  const log = new FrameRecording(kinds);
  log.record(BOX, 'up', 1, encodeFrame(heartbeat(1)));
  log.record(BOX, 'down', 2, encodeFrame(receipt(1)));
  log.record(BOX, 'up', 3, payloadOf([heartbeat(2), heartbeat(3)]));
  log.record(BOX, 'down', 4, payloadOf([receipt(2), receipt(3)]));
  return log;
}
const kindsIn = (log: FrameRecording, kinds: typeof ALL_FRAME_KINDS) =>
  [...log.frames(BOX, kinds)].map(({ atMs, message }) => `${atMs} ${message.kind}`);

describe('the recording of frames', () => {
  test('returns every frame, oldest first', () => {
    expect(kindsIn(logOf(ALL_FRAME_KINDS), ALL_FRAME_KINDS)).toEqual([
      '1 heartbeat',
      '2 receipt',
      '3 heartbeat',
      '3 heartbeat',
      '4 receipt',
      '4 receipt',
    ]);
  });

  test('returns only the requested frames', () => {
    expect(kindsIn(logOf(ALL_FRAME_KINDS), RECEIPT_KINDS)).toEqual(['2 receipt', '4 receipt', '4 receipt']);
  });

  test('keeps the kinds it was opened for, and refuses others', () => {
    const log = logOf(RECEIPT_KINDS);
    expect(kindsIn(log, RECEIPT_KINDS)).toEqual(['2 receipt', '4 receipt', '4 receipt']);
    expect(() => kindsIn(log, REQUEST_KINDS)).toThrow(
      'Frames of the kind command, configuration, reply were not kept.',
    );
  });

  test('keeps a payload with other bytes than frames for the decoder', () => {
    const log = new FrameRecording(RECEIPT_KINDS);
    log.record(BOX, 'down', 1, Uint8Array.of(1, 2, 3, ...encodeFrame(receipt(1))));
    expect(kindsIn(log, RECEIPT_KINDS)).toEqual(['1 receipt']);
  });
});

describe('the recording of queues', () => {
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

  test('without bodies throws if one is read', () => {
    const book = new QueueRecording('heads');
    book.record(new RecordedMessage('queue', 'V1', 'StateReceived', stored, false));
    const [message] = [...book.messages('queue', 'F', 0)];
    expect(message).toMatchObject({ messageId: 'M1', vehicleId: 'V1', fleetId: 'F', atMs: 5 });
    expect(() => message?.body).toThrow('The body of message M1 was not kept.');
  });

  test('leaves out what came to an earlier queue of the name', () => {
    const recording = new QueueRecording();
    recording.record(new RecordedMessage('queue', 'V1', 'StateReceived', stored, true));
    expect([...recording.messages('queue', 'F', stored.storedMs + 1)]).toEqual([]);
    expect([...recording.messages('queue', 'F', stored.storedMs)]).toHaveLength(1);
  });

  test('cannot be read if it was not kept', () => {
    expect(() => [...new QueueRecording('none').messages('queue', 'F', 0)]).toThrow(
      'Messages were not kept.',
    );
  });

  test('finds the id of the vehicle at any position', () => {
    const heads = new MessageHeads();
    const read = (body: string) => heads.read('service.StateReceived', Buffer.from(body));
    expect(read('{"data":{"vehicle_id":"V1"}}')).toEqual({ name: 'StateReceived', vehicleId: 'V1' });
    expect(read('{"data":{"vehicle_id":"V22"}}').vehicleId).toBe('V22');
    expect(read('{"metadata":{},"data":{"vehicle_id":"V3"}}').vehicleId).toBe('V3');
    expect(read('{"data":{}}').vehicleId).toBe('');
    expect(read('').vehicleId).toBe('');
  });
});

describe('the recordings of a run', () => {
  test('are those needed by its checkers', () => {
    expect(recordingsOf([])).toEqual({
      frames: new Set(),
      messages: 'none',
      truth: false,
      boxes: false,
      effects: false,
      outcomes: false,
    });
    expect(recordingsOf(['heals', 'within-bounds'])).toEqual({
      frames: new Set(),
      messages: 'none',
      truth: false,
      boxes: false,
      effects: false,
      outcomes: false,
    });
    expect(recordingsOf(['heals', 'twin-is-true'])).toEqual({
      frames: new Set(),
      messages: 'none',
      truth: true,
      boxes: false,
      effects: false,
      outcomes: false,
    });
    expect(recordingsOf(['nothing-lost', 'one-result-per-vehicle'])).toEqual({
      frames: new Set([...RECEIPT_KINDS, ...REQUEST_KINDS]),
      messages: 'heads',
      truth: false,
      boxes: false,
      effects: false,
      outcomes: false,
    });
    expect(recordingsOf(['nothing-doubled', 'nothing-lost'])).toEqual({
      frames: ALL_FRAME_KINDS,
      messages: 'whole',
      truth: false,
      boxes: false,
      effects: false,
      outcomes: false,
    });
    expect(recordingsOf(['effects-follow-causes'])).toEqual({
      frames: new Set(),
      messages: 'none',
      truth: false,
      boxes: false,
      effects: true,
      outcomes: false,
    });
    expect(recordingsOf(['results-stay'])).toEqual({
      frames: new Set(),
      messages: 'none',
      truth: false,
      boxes: false,
      effects: false,
      outcomes: true,
    });
  });
});

describe('the journals of a box, from the frames on the wire', () => {
  test('contain the records that were sent, receipted and given up', async () => {
    const log = new FrameRecording();
    log.record(BOX, 'up', 1, payloadOf([heartbeat(1), heartbeat(2)]));
    log.record(BOX, 'down', 2, encodeFrame(receipt(2)));
    const lost = { kind: 'tombstone', first: 3, last: 3, reports: 1, events: 0, replies: 0 } as Message;
    log.record(BOX, 'up', 3, encodeFrame(frame(6, lost)));
    const journalsOf = (boxId: string) => readJournals(pages(log.frames(boxId, ALL_FRAME_KINDS)));
    const journal = (await journalsOf(BOX)).get(3);
    expect(journal).toMatchObject({
      sent: new Set([1, 2, 6]),
      receipted: [
        [1, 2],
        [4, 5],
      ],
    });
    expect(journal?.tombstones.get(6)).toEqual({ covers: [3, 3], lost: 1 });
    expect((await journalsOf('00000000000000b2')).size).toBe(0);
  });
});

async function* pages<T>(items: Iterable<T>): AsyncGenerator<readonly T[]> {
  yield [...items];
}
