import { describe, expect, test } from 'vitest';
import type { Store } from '../../../../../../backend/store/port/store.ts';
import { encodeFrame } from '../../../../../../protocol/codec/frame.ts';
import { topics } from '../../../../../../protocol/topics.ts';
import { EffectRecording } from '../../../../../../scenarios/testbed/common/recordings/effect-recording.ts';
import type { World } from '../../../../../../world/world.ts';

const BOX = '0123456789abcdef';
const MESSAGE = { messageId: 'M1', vehicleId: 'V1' };

/** A recording with the ports of a backend that it watches. `settle` ends the last publication. */
function watched() {
  const recording = new EffectRecording(() => 1_000);
  const confirms: ((verdict: 'confirmed' | 'refused') => void)[] = [];
  const world = recording.wrapWorld({
    mqtt: { open: async () => ({ publish: async () => undefined }) },
    amqp: { open: async () => ({ publish: () => new Promise((resolve) => confirms.push(resolve)) }) },
  } as unknown as Pick<World, 'mqtt' | 'amqp'>);
  const store = recording.wrapStore({ outbox: { sent: async () => undefined } } as unknown as Store);
  const commit = (parts: object, result: object = {}) =>
    recording.carriedOut(
      [{ part: 'ingest', name: 'commit', parameters: [{ boxes: [], messages: [], replies: [], ...parts }] }],
      [{ value: { stale: [], settled: [], ...result } }],
    );
  return {
    recording,
    commit,
    store: (contiguous: number, ranges: readonly (readonly [number, number])[] = []) =>
      commit({ boxes: [{ boxId: BOX, version: 1, journal: { epoch: 7, contiguous, ranges } }] }),
    async receipt(contiguous: number, ranges: readonly (readonly [number, number])[] = []) {
      const session = await world.mqtt.open({} as never, {} as never);
      const message = { kind: 'receipt', contiguous, ranges } as const;
      const payload = encodeFrame({ version: 1, epoch: 7, sequence: 0, clockMs: 0, message } as never);
      await session.publish({ topic: topics.down(BOX), payload } as never);
    },
    async publish() {
      const session = await world.amqp?.open({} as never, {} as never);
      void session?.publish({ messageId: 'M1' } as never);
    },
    async confirm(verdict: 'confirmed' | 'refused') {
      confirms.at(-1)?.(verdict);
      await Promise.resolve();
      await Promise.resolve();
    },
    write: () => commit({ messages: [MESSAGE] }, { written: [{ ...MESSAGE, position: 5 }] }),
    mark: () => store.outbox.sent([5]),
    open: () =>
      recording.carriedOut(
        [{ part: 'commands', name: 'open', parameters: [{ requestId: 'R1', flowId: 'F1', boxId: BOX }] }],
        [{ value: 'opened' }],
      ),
    settle: () => commit({ replies: [{ reply: { requestId: 'R1' } }] }),
    answer: (status: number) =>
      recording.answered(new Response('', { status, headers: { 'X-Service-Flow-ID': 'F1' } })),
    early: () => recording.history().early.map(({ kind, of }) => [kind, of]),
  };
}

describe('an effect that follows its cause is counted, and one that comes before it is kept:', () => {
  test('a receipt, and the commit of its records', async () => {
    const { store, receipt, early, recording } = watched();
    store(3, [[5, 9]]);
    await receipt(3);
    await receipt(2, [[6, 8]]);
    expect(early()).toEqual([]);
    await receipt(4);
    await receipt(3, [[5, 10]]);
    expect(early()).toEqual([
      ['receipt', BOX],
      ['receipt', BOX],
    ]);
    store(10);
    await receipt(10);
    expect(early()).toHaveLength(2);
    expect(recording.history().counts.receipt).toBe(5);
  });

  test('a receipt, and a commit that was refused', async () => {
    const { commit, receipt, early } = watched();
    const boxes = [{ boxId: BOX, version: 1, journal: { epoch: 7, contiguous: 4, ranges: [] } }];
    commit({ boxes }, { stale: [BOX] });
    commit({ boxes }, { lostLeases: [3] });
    await receipt(4);
    expect(early()).toEqual([['receipt', BOX]]);
  });

  test('a message, and the commit that writes it', async () => {
    const { publish, write, early } = watched();
    await publish();
    write();
    expect(early()).toEqual([['message', 'V1']]);
  });

  test('a mark, and the confirm of the broker', async () => {
    const right = watched();
    right.write();
    await right.publish();
    await right.confirm('confirmed');
    await right.mark();
    expect(right.early()).toEqual([]);
    for (const verdict of ['refused', undefined] as const) {
      const wrong = watched();
      wrong.write();
      await wrong.publish();
      if (verdict !== undefined) await wrong.confirm(verdict);
      await wrong.mark();
      expect(wrong.early()).toEqual([['mark', undefined]]);
    }
  });

  test('the answer to a command, and the commit of its outcome', () => {
    const right = watched();
    right.open();
    right.settle();
    right.answer(200);
    expect(right.early()).toEqual([]);
    const refused = watched();
    refused.open();
    refused.answer(504);
    expect(refused.early()).toEqual([]);
    const wrong = watched();
    wrong.open();
    wrong.answer(200);
    expect(wrong.early()).toEqual([['answer', undefined]]);
  });
});
