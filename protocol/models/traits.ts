import type { VehicleModel } from './model.ts';
import type { Trait } from './quantities.ts';

/** What the physics of a vehicle can have: which models a trait is of, and what one without it is told. */
export const TRAITS: Readonly<
  Record<Trait, { readonly isOf: (model: VehicleModel) => boolean; readonly lack: string }>
> = {
  automatic: { isOf: (model) => model.transmission === 'AUTOMATIC', lack: 'it shifts by hand' },
  cabin: { isOf: (model) => model.vehicleType !== 'MOPED', lack: 'it has no cabin' },
  'two-wheels': { isOf: (model) => model.vehicleType === 'MOPED', lack: 'it is no two-wheeler' },
  tank: { isOf: (model) => model.fuelType !== 'ELECTRIC', lack: 'it burns no fuel' },
  adblue: { isOf: (model) => model.body.adblue !== undefined, lack: 'its body has no adblue' },
  plug: { isOf: (model) => model.body.chargeKw !== undefined, lack: 'its body has no chargeKw' },
  'plug-in-hybrid': { isOf: (model) => model.body.hybrid !== undefined, lack: 'its body has no hybrid' },
  'battery-ports': {
    isOf: ({ body }) => body.batteryPorts !== undefined || body.hybrid !== undefined,
    lack: 'its body has neither batteryPorts nor a hybrid',
  },
};
