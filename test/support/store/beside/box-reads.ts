import { partitionOf } from '../../../../protocol/partitions.ts';
import { keyOf } from './box-calls.ts';
import { BOXES, callOf, callWithPositions, type Drawer, VEHICLES } from './draw.ts';

/** Calls that read what boxes send and are sent. */
export const BOX_READS: readonly Drawer[] = [
  (draw) => callOf('ingest', 'load', [...draw.some(BOXES), 'nobody']),
  (draw) =>
    callOf(
      'ingest',
      'loadCommands',
      draw.some(draw.rows('commands')).map((row) => String(row['request_id'])),
    ),
  (draw) => callOf('ingest', 'quarantined', { limit: draw.whole(1, 5) }),
  (draw) => callOf('ingest', 'countRecords', draw.pick(BOXES)),
  (draw) =>
    callOf('ingest', 'boxIds', {
      after: draw.once(2) ? undefined : draw.pick(BOXES),
      limit: draw.whole(1, 4),
    }),
  (draw) =>
    callOf('ingest', 'records', {
      boxId: draw.pick(BOXES),
      after: draw.once(2) ? undefined : keyOf(draw),
      limit: draw.whole(1, 10),
    }),
  (draw) => callOf('commands', 'find', draw.value('commands', 'request_id')),
  (draw) => callOf('commands', 'isOpen', draw.pick(VEHICLES), draw.nowMs),
  (draw) => callOf('configuration', 'read', draw.pick(BOXES)),
  () => callOf('outbox', 'next', { afterPosition: 0, limit: 1_000 }),
  (draw) => {
    const after = draw.row('outbox');
    const cursors = draw.some(BOXES).map(partitionOf);
    return callWithPositions(
      'outbox',
      'nextByPartition',
      (positionOf) =>
        [
          {
            cursors: cursors.map((partition) => ({
              partition,
              afterPosition: after?.['partition'] === partition ? positionOf(String(after['message_id'])) : 0,
            })),
            limit: 12,
          },
        ] as const,
    );
  },
  () => callOf('outbox', 'size'),
  () => callOf('outbox', 'drops'),
  (draw) =>
    callOf(
      'outbox',
      'dropped',
      draw
        .some([...draw.rows('outbox_dropped'), ...draw.rows('outbox')])
        .map((row) => String(row['message_id'])),
    ),
];
