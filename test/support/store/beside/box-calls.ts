import type { ConfigurationOrder } from '../../../../backend/store/port/configuration-store.ts';
import type {
  BoxChange,
  IngestBatch,
  Quarantined,
  SettledReply,
  StoredRecord,
} from '../../../../backend/store/port/ingest-store.ts';
import { writeState } from '../../../../backend/store/port/state-text.ts';
import type { JournalPosition } from '../../../../backend/store/port/stored-vehicle.ts';
import { partitionOf } from '../../../../protocol/partitions.ts';
import type { Row } from './contents.ts';
import { BOXES, callOf, callWithPositions, type Draw, type Drawer, VEHICLES } from './draw.ts';
import { messageOf } from './message-of.ts';

const EPOCHS = [7, 8] as const;
const KINDS = ['report', 'heartbeat', 'event', 'reply', 'access', 'tombstone'] as const;

/** A place in a journal. */
export function keyOf(draw: Draw): { readonly epoch: number; readonly sequence: number } {
  // The last is a multiple of the stride at which rows are pruned.
  return { epoch: draw.pick(EPOCHS), sequence: draw.once(20) ? 20_224 : draw.whole(1, 40) };
}

function recordOf(draw: Draw, boxId: string): StoredRecord {
  const kind = draw.pick(KINDS);
  const key = keyOf(draw);
  return {
    boxId,
    epoch: key.epoch,
    sequence: key.sequence,
    kind,
    clockMs: draw.nowMs - draw.whole(0, 1_000),
    receivedMs: draw.nowMs,
    messageId: draw.once(2) ? undefined : draw.id('of-record'),
    lost: kind === 'tombstone' ? draw.whole(1, 5) : 0,
    ...(kind === 'tombstone' ? { covers: [1, key.sequence] as const } : {}),
  };
}

function journalOf(draw: Draw): JournalPosition {
  const contiguous = draw.whole(1, 30);
  return {
    epoch: draw.pick(EPOCHS),
    ...(draw.once(4) ? { past: [3, 4] } : {}),
    contiguous,
    ranges: draw.once(2) ? [] : [[contiguous + 2, contiguous + 4]],
    ...(draw.once(3) ? { setUpAt: draw.whole(0, 5) } : {}),
    ...(draw.once(4) ? { left: [{ epoch: 3, contiguous: 2, ranges: [] }] } : {}),
  };
}

function changeOf(draw: Draw, box: Row): BoxChange {
  const { nowMs } = draw;
  const usual: BoxChange = {
    boxId: String(box['id']),
    version: draw.once(15) ? Number(box['version']) - 1 : Number(box['version']),
    ...(draw.once(2) ? { lastContactMs: nowMs } : {}),
    ...(draw.once(2) ? { journal: journalOf(draw) } : {}),
    ...(draw.once(2)
      ? {
          stateText: writeState({
            mileage: { timestampMs: nowMs, value: draw.whole(0, 99), epoch: 7, sequence: 1 },
          }),
        }
      : {}),
  };
  if (draw.once(2)) return usual;
  return {
    ...usual,
    ...(draw.once(3) ? { generation: 2, firmware: [3, draw.whole(0, 9)], hardwareRevision: 1 } : {}),
    ...(draw.once(2)
      ? { connection: draw.once(4) ? null : { counter: draw.whole(1, 9), open: !draw.once(3) } }
      : {}),
    ...(draw.once(2) ? { notReadyUntilMs: draw.once(2) ? null : draw.later() } : {}),
    ...(draw.once(2) ? { life: { value: draw.pick(['ONLINE', 'STANDBY'] as const), sinceMs: nowMs } } : {}),
    ...(draw.once(4) ? { simSuspendedMs: draw.once(2) ? null : nowMs } : {}),
  };
}

function replyOf(draw: Draw, command: Row): SettledReply {
  const outcome = draw.pick(['done', 'done', 'done', 'failed', 'unsupported', 'expired'] as const);
  return {
    reply: {
      kind: 'reply',
      requestId: String(command['request_id']),
      outcome,
      error: outcome === 'failed' ? 'E' : '',
    },
    boxId: draw.once(10) ? draw.pick(BOXES) : String(command['box_id']),
    key: keyOf(draw),
    atMs: draw.nowMs,
    ...(draw.once(3) ? { state: { mileage: { timestampMs: draw.nowMs, value: 1 } } } : {}),
  };
}

function quarantineOf(draw: Draw, boxId: string): Quarantined {
  return {
    boxId,
    receivedMs: draw.nowMs,
    fault: 'truncated',
    offset: draw.whole(0, 9),
    detail: draw.pick(['', 'a\0b', 'ü']),
    bytes: Uint8Array.from([draw.whole(0, 255), 0, 255]),
  };
}

/** A batch of ingest. */
export const commit: Drawer = (draw) => {
  const boxes = draw.some(draw.rows('boxes'));
  if (boxes.length === 0) return undefined;
  const ids = boxes.map((box) => String(box['id']));
  // Most batches have only changes, records and messages: the store has a shorter way for them.
  const isOrdinary = draw.once(2);
  const several = <T>(times: number, make: (boxId: string) => T): readonly T[] =>
    Array.from({ length: draw.whole(0, times) }, () => make(draw.pick(ids)));
  const replies = draw.some(draw.rows('commands').filter((row) => row['outcome'] !== 'done'));
  const held = draw.some(draw.rows('partition_leases').filter((row) => row['holder'] !== ''));
  const batch: IngestBatch = {
    boxes: boxes.map((box) => changeOf(draw, box)),
    // As a box sends them: rows are pruned by those that come last.
    records: several(4, (boxId) => recordOf(draw, boxId)).toSorted(
      (one, other) => one.sequence - other.sequence,
    ),
    replies: isOrdinary ? [] : replies.map((command) => replyOf(draw, command)),
    messages: several(4, (boxId) => messageOf(draw, draw.pick(VEHICLES), partitionOf(boxId))),
    quarantine: isOrdinary ? [] : several(2, (boxId) => quarantineOf(draw, boxId)),
    ...(draw.once(4) && !isOrdinary
      ? { calibrations: several(1, (boxId) => ({ boxId, key: keyOf(draw) })) }
      : {}),
    ...(draw.once(6) && !isOrdinary
      ? { flashWipes: several(1, (boxId) => ({ boxId, epoch: draw.pick(EPOCHS) })) }
      : {}),
    ...(held.length > 0 && draw.once(2)
      ? {
          leases: held.map((row) => ({
            partition: Number(row['partition']),
            fence: draw.number(row, 'fence'),
          })),
        }
      : {}),
  };
  return callOf('ingest', 'commit', batch);
};

const FEATURES = {
  'box-settings': { standby_report_interval_in_seconds: 600 },
  'speed-alert': { limit: 130 },
  geofence: {},
} as const;
export type FeatureName = keyof typeof FEATURES;
const FEATURE_NAMES = Object.keys(FEATURES) as readonly FeatureName[];

/** What a request changes: a feature with its parameters, or off. */
export function featuresOf(draw: Draw): ConfigurationOrder['features'] {
  return Object.fromEntries(
    draw.some(FEATURE_NAMES).map((name) => [name, draw.once(4) ? null : FEATURES[name]]),
  );
}

const open: Drawer = (draw) => {
  const vehicle = draw.row('vehicles');
  if (vehicle === undefined) return undefined;
  const vehicleId = String(vehicle['id']);
  const boxId = vehicle['box_id'] === null ? undefined : String(vehicle['box_id']);
  const configured = draw.rows('configurations').find((row) => row['box_id'] === boxId);
  const item = draw.row(
    'bulk_items',
    (row) => row['vehicle_id'] === vehicleId && row['status'] === 'pending',
  );
  const order: ConfigurationOrder = {
    revision: Number(configured?.['handed_out'] ?? 1),
    basedOn: draw.number(configured, 'revision'),
    features: featuresOf(draw),
    calibrates: draw.once(2) ? [] : ['speed-alert'],
    kept: draw.once(2) ? {} : { geofence: { revision: 1, status: 'ACTIVE', parameters: {}, modifiedMs: 1 } },
    ...(item !== undefined && draw.once(2) ? { bulkJobId: String(item['job_id']) } : {}),
  };
  const isConfigure = boxId !== undefined && draw.once(2);
  return callOf('commands', 'open', {
    requestId: draw.id('request'),
    vehicleId,
    boxId,
    flowId: 'flow',
    command: isConfigure ? 'configure' : draw.pick(['unlock-central-lock', 'begin-setup'] as const),
    ...(isConfigure ? { configuration: order } : {}),
    openedMs: draw.nowMs,
    expiresMs: draw.later(),
  });
};

const endCommand: Drawer = (draw) =>
  callOf(
    'commands',
    draw.pick(['giveUp', 'withdraw'] as const),
    draw.value('commands', 'request_id'),
    draw.nowMs,
  );

const sent: Drawer = (draw) => {
  const waiting = [
    ...draw.some(draw.rows('outbox')),
    ...(draw.once(3) ? draw.rows('outbox_dropped').slice(-2) : []),
  ];
  if (waiting.length === 0) return undefined;
  const ids = waiting.map((row) => String(row['message_id']));
  return callWithPositions('outbox', 'sent', (positionOf) => [ids.map((id) => positionOf(id))] as const);
};

/** Calls that write what boxes send and are sent. */
export const BOX_WRITES: readonly Drawer[] = [
  commit,
  commit,
  commit,
  commit,
  commit,
  (draw) => (draw.once(3) ? callOf('ingest', 'forgetConnections', draw.nowMs) : undefined),
  open,
  open,
  open,
  endCommand,
  sent,
  sent,
  (draw) => callOf('configuration', 'begin', draw.pick(BOXES), draw.nowMs),
];
