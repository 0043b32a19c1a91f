import type { VehicleModel } from '../../../protocol/models/model.ts';

/** How a vehicle is driven, in m/s². */
export interface Handling {
  /** The comfortable lateral acceleration in a bend. */
  readonly lateralMps2: number;
}

/** High and heavy vehicles roll early; two-wheelers lean into the bend. */
const BY_TYPE: Readonly<Record<VehicleModel['vehicleType'], Handling>> = {
  CAR: { lateralMps2: 2.5 },
  VAN: { lateralMps2: 2 },
  MOPED: { lateralMps2: 2.8 },
};

export function handlingOf({ vehicleType }: Pick<VehicleModel, 'vehicleType'>): Handling {
  return BY_TYPE[vehicleType];
}
