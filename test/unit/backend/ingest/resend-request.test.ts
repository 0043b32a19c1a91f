import { expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { limits } from '../../../../backend/base/limits.ts';
import type { DownlinkFrame } from '../../../../backend/ingest/batch-result.ts';
import { makeResendRequest } from '../../../../backend/ingest/resend-request.ts';
import type { KnownVehicle } from '../../../../backend/store/port/ingest-store.ts';
import { StoreFailed } from '../../../../backend/store/port/store.ts';
import { PARTITIONS, partitionOf } from '../../../../protocol/partitions.ts';

const idOf = (number: number) => `0f3a${number.toString(16).padStart(12, '0')}`;

interface FoundBox {
  readonly boxId: string;
  readonly epoch?: number;
  readonly open?: boolean;
}

/** Asks the boxes of these partitions; returns whom it has asked, and what was warned of. */
async function asked(boxes: readonly FoundBox[], partitions: readonly number[], fails = false) {
  const sent: DownlinkFrame[] = [];
  const warnings: unknown[] = [];
  const pages: number[] = [];
  const silent = () => undefined;
  const counters = makeCounters();
  await makeResendRequest({
    world: {
      log: { debug: silent, info: silent, error: silent, warn: (...words) => void warnings.push(words) },
    },
    counters,
    store: {
      boxIds: ({ after, limit }) => {
        if (fails) return Promise.reject(new StoreFailed('disk full'));
        const page = boxes.map(({ boxId }) => boxId).filter((boxId) => after === undefined || boxId > after);
        pages.push(page.length);
        return Promise.resolve(page.slice(0, limit));
      },
      load: (boxIds) =>
        Promise.resolve(
          new Map(
            boxes.flatMap(({ boxId, epoch = 7, open }) => {
              const connection = open === undefined ? undefined : { counter: 1, open };
              const vehicle = { box: { generation: 2, journal: { epoch }, connection } };
              // Of a vehicle only what is looked at.
              return boxIds.includes(boxId) ? [[boxId, { vehicle } as unknown as KnownVehicle] as const] : [];
            }),
          ),
        ),
    },
    send: (frames) => void sent.push(...frames),
  })(partitions);
  return { sent, warnings, pages, counted: counters.read()['resends.requested'] ?? 0 };
}

const EVERY = Array.from({ length: PARTITIONS }, (_, partition) => partition);

test('boxes that are connected, or of which it is not known, are asked to send again', async () => {
  const boxes = [
    { boxId: idOf(1), open: true },
    { boxId: idOf(2), open: false },
    { boxId: idOf(3), epoch: 9 },
    { boxId: idOf(4), open: true, epoch: 0 },
  ];
  const { sent, counted } = await asked(boxes, EVERY);
  expect(sent).toEqual([
    { boxId: idOf(1), generation: 2, epoch: 7, message: { kind: 'resend' } },
    { boxId: idOf(3), generation: 2, epoch: 9, message: { kind: 'resend' } },
  ]);
  expect(counted).toBe(2);
});

test('only boxes of those partitions are asked, page after page', async () => {
  const boxes = Array.from({ length: 2 * limits.resendPageBoxes + 1 }, (_, number) => ({
    boxId: idOf(number),
  }));
  const { sent, pages } = await asked(boxes, [3, 5]);
  const wanted = boxes.filter(({ boxId }) => [3, 5].includes(partitionOf(boxId)));
  expect(sent.map(({ boxId }) => boxId)).toEqual(wanted.map(({ boxId }) => boxId));
  expect(pages).toHaveLength(3);
});

test('a store that fails is told of, and nobody is asked', async () => {
  const { sent, warnings } = await asked([{ boxId: idOf(1), open: true }], EVERY, true);
  expect(sent).toEqual([]);
  expect(warnings).toEqual([
    [{ error: 'StoreFailed: disk full', partitions: PARTITIONS }, 'boxes were not asked to send again'],
  ]);
});
