/** The connection of a box to the service; the order is that of the legend. */
export const CONNECTIVITIES = ['ready', 'connected', 'connecting', 'offline', 'off'] as const;
export type Connectivity = (typeof CONNECTIVITIES)[number];

/** A vehicle as the fleet's page shows it. */
export interface FleetVehicle {
  readonly boxId: string;
  /** Null: the device is unassigned. */
  readonly vehicleId: string | null;
  readonly model: string;
  readonly licensePlate: string;
  readonly firmware: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly headingDegrees: number;
  readonly speedKph: number;
  readonly ignitionOn: boolean;
  readonly hasCoverage: boolean;
  readonly connectivity: Connectivity;
  readonly heldRecords: number;
}

/** A vehicle on the wire: an object costs three times as much for each of ten thousand. */
export type FleetRow = readonly [
  boxId: string,
  vehicleId: string | null,
  model: string,
  licensePlate: string,
  firmware: string,
  latitude: number,
  longitude: number,
  headingDegrees: number,
  speedKph: number,
  /** 1: the ignition is on; 2: there is coverage; both are added. */
  flags: number,
  /** Its index in `CONNECTIVITIES`. */
  connectivity: number,
  heldRecords: number,
];

/** One event of the fleet's stream: the changes since the event before. The first has all vehicles. */
export interface FleetChanges {
  /** How many boxes there are. */
  readonly boxes: number;
  readonly rows: readonly FleetRow[];
  /** Boxes that were removed. */
  readonly gone: readonly string[];
}

export function rowOf(vehicle: FleetVehicle): FleetRow {
  return [
    vehicle.boxId,
    vehicle.vehicleId,
    vehicle.model,
    vehicle.licensePlate,
    vehicle.firmware,
    vehicle.latitude,
    vehicle.longitude,
    vehicle.headingDegrees,
    vehicle.speedKph,
    (vehicle.ignitionOn ? 1 : 0) + (vehicle.hasCoverage ? 2 : 0),
    CONNECTIVITIES.indexOf(vehicle.connectivity),
    vehicle.heldRecords,
  ];
}

/** The vehicle of a row. An invalid index of `CONNECTIVITIES` is `off`. */
export function vehicleOf(row: FleetRow): FleetVehicle {
  const [boxId, vehicleId, model, licensePlate, firmware, latitude, longitude, headingDegrees, speedKph] =
    row;
  const [, , , , , , , , , flags, connectivity, heldRecords] = row;
  return {
    boxId,
    vehicleId,
    model,
    licensePlate,
    firmware,
    latitude,
    longitude,
    headingDegrees,
    speedKph,
    ignitionOn: (flags & 1) !== 0,
    hasCoverage: (flags & 2) !== 0,
    connectivity: CONNECTIVITIES[connectivity] ?? 'off',
    heldRecords,
  };
}
