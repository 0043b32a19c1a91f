import { describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { limits } from '../../../../backend/base/limits.ts';
import type { DownlinkFrame } from '../../../../backend/ingest/batch-result.ts';
import { makeFrameSender } from '../../../../backend/ingest/frame-sender.ts';
import { decodePayload } from '../../../../protocol/codec/frame.ts';
import { topics } from '../../../../protocol/topics.ts';
import { START_MS } from '../../../support/backend/ingest-input.ts';

const RECEIPT: DownlinkFrame = {
  boxId: '00000000000000a1',
  generation: 2,
  epoch: 7,
  message: { kind: 'receipt', contiguous: 3, ranges: [] },
};
const UNREADABLE: DownlinkFrame = { ...RECEIPT, message: { kind: 'unreadable', sequences: [4] } };
const RESEND: DownlinkFrame = { ...RECEIPT, message: { kind: 'resend' } };

/** A sender whose broker answers when the test says so, the oldest frame first. */
function openSender() {
  const counters = makeCounters();
  const sent: { readonly topic: string; readonly bytes: Uint8Array }[] = [];
  const waiting: { readonly resolve: () => void; readonly reject: (error: Error) => void }[] = [];
  const sender = makeFrameSender({
    world: { time: { nowMs: () => START_MS, alarm: () => () => undefined } },
    counters,
    send: (topic, bytes) => {
      sent.push({ topic, bytes });
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
      });
    },
  });
  const answer = async (isTaken: boolean) => {
    const oldest = waiting.shift();
    if (isTaken) oldest?.resolve();
    else oldest?.reject(new Error('the connection was lost'));
    await Promise.resolve();
    await Promise.resolve();
  };
  return { sender, counters, sent, answer };
}

describe('the frames to boxes', () => {
  test('go to the topic of their box, with the time of the service', () => {
    const { sender, sent } = openSender();
    sender.send([RECEIPT]);
    expect(sent.map(({ topic }) => topic)).toEqual([topics.down(RECEIPT.boxId)]);
    const { frames } = decodePayload(sent[0]?.bytes ?? new Uint8Array(0));
    expect(frames.map(({ frame }) => frame)).toMatchObject([
      { generation: 2, epoch: 7, sequence: 0, clockMs: START_MS, message: RECEIPT.message },
    ]);
  });

  test('are counted by what became of them', async () => {
    const { sender, counters, answer } = openSender();
    sender.send([RECEIPT, UNREADABLE, RESEND, RECEIPT, UNREADABLE, RESEND]);
    for (const isTaken of [true, true, true, false, false, false]) await answer(isTaken);
    expect(counters.read()).toEqual({
      'down.receipt.sent': 1,
      'down.receipt.lost': 1,
      'down.unreadable.sent': 1,
      'down.unreadable.lost': 1,
      'down.resend.sent': 1,
      'down.resend.lost': 1,
    });
    await sender.settled();
  });

  test('are withheld while too many are not acknowledged, and sent again once there is room', async () => {
    const { sender, counters, sent, answer } = openSender();
    const bound = limits.downlinkFramesInFlight;
    sender.send(Array.from({ length: bound }, () => RECEIPT));
    expect(sent).toHaveLength(bound);
    sender.send([RECEIPT, UNREADABLE]);
    expect(sent).toHaveLength(bound);
    expect(counters.read()).toEqual({ 'down.receipt.withheld': 1, 'down.unreadable.withheld': 1 });
    await answer(true);
    await answer(false);
    sender.send([RECEIPT, RECEIPT, RECEIPT]);
    expect(sent).toHaveLength(bound + 2);
  });

  test('are settled once the broker has taken or lost each of them', async () => {
    const { sender, answer } = openSender();
    await sender.settled();
    sender.send([RECEIPT, RECEIPT]);
    let count = 0;
    const settled = [sender.settled(), sender.settled()].map((one) => one.then(() => (count += 1)));
    await answer(true);
    expect(count).toBe(0);
    await answer(false);
    await Promise.all(settled);
    expect(count).toBe(2);
  });
});
