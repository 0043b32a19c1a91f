import type { VehicleModel } from '../../protocol/models/model.ts';

/** How a vehicle is driven, in m/s². */
export interface Handling {
  /** What one takes around a bend in comfort. */
  readonly lateralMps2: number;
}

/** High and heavy ones lean early; two wheels lean into the bend. */
const BY_TYPE: Readonly<Record<VehicleModel['vehicleType'], Handling>> = {
  CAR: { lateralMps2: 2.5 },
  VAN: { lateralMps2: 2 },
  MOPED: { lateralMps2: 2.8 },
};

/** How a model is driven. */
export function handlingOf({ vehicleType }: Pick<VehicleModel, 'vehicleType'>): Handling {
  return BY_TYPE[vehicleType];
}
