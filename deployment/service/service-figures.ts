import { samplesOf } from '../../backend/monitoring/counted.ts';
import type { Service } from '../../backend/service.ts';
import type { Store } from '../../backend/store/port/store.ts';
import type { Time } from '../../world/time/time.ts';
import { limits } from '../shared/limits.ts';
import type { LiveFigures } from '../shared/live-figures.ts';

export interface SeenService {
  readonly service: Pick<Service, 'counters'>;
  readonly store: Pick<Store, 'outbox' | 'census'>;
  readonly time: Pick<Time, 'nowMs'>;
  /** Without a message broker nothing is in the outbox. */
  readonly hasOutbox: boolean;
  /** Boxes are in another process, so that the service's own count of them is the only one. */
  readonly countsBoxes: boolean;
}

/** Reads the figures of a service. The store is polled at intervals; until its first answer its figures are absent. */
export function serviceFigures({
  service,
  store,
  time,
  hasOutbox,
  countsBoxes,
}: SeenService): () => LiveFigures {
  const outbox = heldFigure(limits.outboxMs, async () => (await store.outbox.size()).messages);
  const connected = heldFigure(limits.connectedMs, async () => (await store.census.count()).boxesConnected);
  return () => {
    const nowMs = time.nowMs();
    const samples = samplesOf(service.counters());
    const total = (of: (sample: (typeof samples)[number]) => boolean) =>
      samples.filter(of).reduce((sum, { value }) => sum + value, 0);
    return {
      frames: total(({ metric }) => metric === 'boxtwin_frames_total'),
      commits: total(
        ({ metric, labels }) => metric === 'boxtwin_commits_total' && labels['outcome'] === 'done',
      ),
      ...(hasOutbox ? { outbox: outbox(nowMs) } : {}),
      ...(countsBoxes ? { boxesConnected: connected(nowMs) } : {}),
    };
  };
}

/** The last value, read again where it is that old; undefined: it cannot be read. */
function heldFigure(everyMs: number, read: () => Promise<number>): (nowMs: number) => number | undefined {
  let held: number | undefined;
  let readMs = Number.NEGATIVE_INFINITY;
  let isReading = false;
  return (nowMs) => {
    if (!isReading && Math.abs(nowMs - readMs) >= everyMs) {
      isReading = true;
      readMs = nowMs;
      const settle = (value: number | undefined) => {
        held = value;
        isReading = false;
      };
      read().then(settle, () => settle(undefined));
    }
    return held;
  };
}
