import type { OpenCommand } from '../store/port/command-store.ts';
import type { BoxChange, KnownVehicle } from '../store/port/ingest-store.ts';
import { writeState } from '../store/port/state-text.ts';
import type { BoxVehicle } from '../store/port/stored-vehicle.ts';
import type { BatchResult, Translate } from './batch-result.ts';
import { BatchStats } from './batch-stats.ts';
import type { InboundMessage } from './inbound-message.ts';
import { BoxReduction, type ReductionContext } from './reduce-box.ts';

/** The data that the reduction needs besides the messages. */
export interface ReductionInput {
  /** By box id; boxes that are not onboarded are missing. */
  readonly known: ReadonlyMap<string, KnownVehicle>;
  /** By request id: the commands that the messages' replies answer. */
  readonly commands: ReadonlyMap<string, OpenCommand>;
  readonly translate: Translate;
}

/**
 * Decides what follows from a batch of messages. Pure and total: equal messages and input give an equal
 * result, and whatever bytes a box sends, its valid frames and those of other boxes are not lost.
 */
export function reduceBatch(inboundMessages: readonly InboundMessage[], input: ReductionInput): BatchResult {
  const stats = new BatchStats();
  const context: ReductionContext = {
    commands: input.commands,
    translate: input.translate,
    stats,
    records: [],
    replies: [],
    calibrations: [],
    flashWipes: [],
  };
  const boxes = new Map<string, BoxReduction>();
  for (const inbound of inboundMessages) {
    stats.count('payloads');
    if (inbound.kind === 'foreign') {
      stats.refusePayload(inbound, '', 'foreign-topic', 'not a topic of a box');
      continue;
    }
    const known = input.known.get(inbound.boxId);
    if (known === undefined) {
      stats.refusePayload(inbound, inbound.boxId, 'unknown-box', 'not onboarded');
      continue;
    }
    let box = boxes.get(inbound.boxId);
    if (box === undefined) {
      box = new BoxReduction(known, context);
      boxes.set(inbound.boxId, box);
    }
    box.reduce(inbound);
  }
  return batchResultOf(boxes, input.known, context);
}

function batchResultOf(
  boxes: ReadonlyMap<string, BoxReduction>,
  known: ReductionInput['known'],
  context: ReductionContext,
): BatchResult {
  const changes: BatchResult['boxes'][number][] = [];
  const vehicles = new Map<string, BoxVehicle>();
  const framesDown: BatchResult['framesDown'][number][] = [];
  for (const [boxId, box] of boxes) {
    const vehicle = box.vehicle();
    const before = known.get(boxId);
    const change = before === undefined ? undefined : changeOf(before, vehicle);
    if (change !== undefined) {
      changes.push(change);
      vehicles.set(boxId, vehicle);
    }
    for (const frame of box.framesDown()) framesDown.push(frame);
  }
  return {
    boxes: changes,
    vehicles,
    records: context.records,
    replies: context.replies,
    calibrations: context.calibrations,
    flashWipes: context.flashWipes,
    quarantine: context.stats.quarantine,
    framesDown,
    counts: context.stats.counts,
    troubles: context.stats.troubles,
  };
}

/**
 * The columns in which `after` differs from what was loaded; undefined if nothing changed. Fields are
 * compared by reference: every change creates a new object.
 */
function changeOf(known: KnownVehicle, after: BoxVehicle): BoxChange | undefined {
  const before = known.vehicle;
  if (after === before) return undefined;
  const { box } = after;
  const old = before.box;
  const { generation, firmware, hardwareRevision, lastContactMs, journal } = box;
  const change: Writable<BoxChange> = { boxId: before.boxId, version: known.version };
  if (generation !== old.generation) change.generation = generation;
  if (firmware !== undefined && firmware !== old.firmware) change.firmware = firmware;
  if (hardwareRevision !== undefined && hardwareRevision !== old.hardwareRevision)
    change.hardwareRevision = hardwareRevision;
  if (box.connection !== old.connection) change.connection = box.connection ?? null;
  if (box.notReadyUntilMs !== old.notReadyUntilMs) change.notReadyUntilMs = box.notReadyUntilMs ?? null;
  if (lastContactMs !== undefined && lastContactMs !== old.lastContactMs)
    change.lastContactMs = lastContactMs;
  if (box.life !== undefined && box.life !== old.life) change.life = box.life;
  if (box.simSuspendedMs !== old.simSuspendedMs) change.simSuspendedMs = box.simSuspendedMs ?? null;
  if (journal !== old.journal) change.journal = journal;
  if (after.state !== before.state) change.stateText = writeState(after.state);
  return change;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
