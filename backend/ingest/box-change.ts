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
  const { generation, firmware, hardwareRevision, lastContactMs, journal } = box;
  return {
    boxId: before.boxId,
    version: known.version,
    ...(generation === before.box.generation ? {} : { generation }),
    ...(firmware === undefined || firmware === before.box.firmware ? {} : { firmware }),
    ...(hardwareRevision === undefined || hardwareRevision === before.box.hardwareRevision
      ? {}
      : { hardwareRevision }),
    ...(box.connection === before.box.connection ? {} : { connection: box.connection ?? null }),
    ...(box.notReadyUntilMs === before.box.notReadyUntilMs
      ? {}
      : { notReadyUntilMs: box.notReadyUntilMs ?? null }),
    ...(lastContactMs === undefined || lastContactMs === before.box.lastContactMs ? {} : { lastContactMs }),
    ...(journal === before.box.journal ? {} : { journal }),
    ...(after.state === before.state ? {} : { state: after.state }),
  };
}
