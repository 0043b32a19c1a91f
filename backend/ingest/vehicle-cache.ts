import type { IngestStore, KnownVehicle } from '../store/port/ingest-store.ts';
import type { BoxVehicle } from '../store/port/stored-vehicle.ts';

/** A cache of vehicles as they were last read or written. */
export interface VehicleCache {
  /** Those of `boxIds` that are onboarded, from memory or the store. Rejects if the store fails. */
  read(boxIds: readonly string[]): Promise<ReadonlyMap<string, KnownVehicle>>;
  /** After a commit based on `known`: the new vehicles. */
  wrote(known: ReadonlyMap<string, KnownVehicle>, after: ReadonlyMap<string, BoxVehicle>): void;
  forget(boxIds: Iterable<string>): void;
}

/**
 * Keeps at most `capacity` vehicles; the least recently used goes first. The cache may be outdated: each
 * commit names the version that it is based on, and the store refuses one based on an old version. So other
 * processes, and the HTTP side of this one, may change a vehicle at any time.
 */
export function makeVehicleCache(store: Pick<IngestStore, 'load'>, capacity: number): VehicleCache {
  // A Map keeps the order of insertion: the first key is the least recently used one.
  const vehicles = new Map<string, KnownVehicle>();

  function keep(boxId: string, known: KnownVehicle): void {
    vehicles.delete(boxId);
    vehicles.set(boxId, known);
  }
  function shrink(): void {
    for (const boxId of vehicles.keys()) {
      if (vehicles.size <= capacity) return;
      vehicles.delete(boxId);
    }
  }

  return {
    async read(boxIds) {
      const found = new Map<string, KnownVehicle>();
      const absent: string[] = [];
      for (const boxId of boxIds) {
        const known = vehicles.get(boxId);
        if (known === undefined) absent.push(boxId);
        else found.set(boxId, known);
      }
      if (absent.length > 0) {
        for (const [boxId, known] of await store.load(absent)) found.set(boxId, known);
      }
      for (const [boxId, known] of found) keep(boxId, known);
      shrink();
      return found;
    },
    wrote(known, after) {
      for (const [boxId, vehicle] of after) {
        const before = known.get(boxId);
        // It was read for this commit, so it is among the newest already.
        if (before !== undefined) vehicles.set(boxId, { vehicle, version: before.version + 1 });
      }
      shrink();
    },
    forget(boxIds) {
      for (const boxId of boxIds) vehicles.delete(boxId);
    },
  };
}
