import type { ShareEvent } from '../../../judge/evidence/partition-history.ts';
import { type RunRecordings, START_MS } from './any-recordings.ts';
import { type PlantedFault, pickVehicle } from './change-recordings.ts';

/** Every way in which a planned move of partitions can go wrong: for boxes, and for the shares. */
export const MOVE_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a record is sent again after half a minute, though the store was a little slow and a backend was replaced alone',
    checker: 'receipts-in-time',
    plant(history, pick) {
      const { told } = pickVehicle(history, pick);
      const frame = told.frames.find(({ direction, sequence }) => direction === 'up' && sequence > 0);
      if (frame === undefined) return [];
      const slow = { kind: 'fault', name: 'store slow', detail: '{"by":700}', vehicles: [] } as const;
      const { atMs } = frame;
      history.facts.push(
        { ...slow, atMs: atMs - 90_000, phase: 'begins' },
        { kind: 'service', atMs: atMs + 1_000, state: 'down', reason: 'it was stopped (backend 1)' },
        { kind: 'service', atMs: atMs + 1_500, state: 'up', reason: 'it was started again (backend 1)' },
      );
      const again = { ...frame, atMs: atMs + 30_000 };
      told.frames = [frame, again, ...told.frames.filter((one) => one !== frame)];
      return ['sent again 30000 ms later', `${told.vehicle.boxId}/${frame.epoch}/${frame.sequence}`];
    },
  },
  {
    name: 'a receipt comes after half a minute',
    checker: 'receipts-in-time',
    plant(history, pick) {
      const { told } = pickVehicle(history, pick);
      const last = told.frames.at(-1);
      const sent = told.frames.findLast(({ direction, sequence }) => direction === 'up' && sequence > 0);
      if (last === undefined || sent === undefined) return [];
      told.frames[told.frames.length - 1] = { ...last, atMs: sent.atMs + 28_500 };
      return ['receipted 28500 ms later', `${told.vehicle.boxId}/${sent.epoch}/${sent.sequence}`];
    },
  },
  {
    name: 'a backend that stays passes on more than its surplus',
    checker: 'partitions-have-one-holder',
    plant(history) {
      sharesOf(history, [
        { what: 'joined', atMs: START_MS, backend: 'a', held: 64 },
        { what: 'joined', atMs: START_MS + 9_000, backend: 'b', held: 0 },
        { what: 'passed', atMs: START_MS + 10_000, backend: 'a', held: 32 },
        { what: 'passed', atMs: START_MS + 12_500, backend: 'a', held: 10 },
      ]);
      return ['more was passed on', 'a kept 10 partitions', '32 at least, among 2 backends'];
    },
  },
];

function sharesOf(history: RunRecordings, shares: readonly ShareEvent[]): void {
  history.partitions = { backends: 2, events: [], gaps: [], shares, isWhole: true };
}
