import type { BoxChange, KnownVehicle } from '../store/ingest-store.ts';
import type { BoxVehicle } from '../store/vehicle-store.ts';

/**
 * The columns in which `after` differs from what was loaded; undefined where it is the very same. Fields are compared
 * as references: whoever changes one makes it anew.
 */
export function changeOf(known: KnownVehicle, after: BoxVehicle): BoxChange | undefined {
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
  if (after.state !== before.state) change.state = after.state;
  return change;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };
