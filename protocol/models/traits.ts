import type { VehicleModel } from './model.ts';
import type { ModelTrait } from './quantities.ts';

/**
 * Properties of a vehicle on which quantities depend: which models have them, and the fault text for the
 * others.
 */
export const MODEL_TRAITS: Readonly<
  Record<ModelTrait, { readonly isOf: (model: VehicleModel) => boolean; readonly lack: string }>
> = {
  automatic: { isOf: (model) => model.transmission === 'AUTOMATIC', lack: 'it has a manual gearbox' },
  cabin: { isOf: (model) => model.vehicleType !== 'MOPED', lack: 'it has no cabin' },
  'two-wheels': { isOf: (model) => model.vehicleType === 'MOPED', lack: 'it is not a two-wheeler' },
  tank: { isOf: (model) => model.fuelType !== 'ELECTRIC', lack: 'it burns no fuel' },
  adblue: { isOf: (model) => model.body.adblue !== undefined, lack: 'its body has no adblue' },
  plug: { isOf: (model) => model.body.chargeKw !== undefined, lack: 'its body has no chargeKw' },
  'plug-in-hybrid': { isOf: (model) => model.body.hybrid !== undefined, lack: 'its body has no hybrid' },
  'battery-ports': {
    isOf: ({ body }) => body.batteryPorts !== undefined || body.hybrid !== undefined,
    lack: 'its body has neither batteryPorts nor a hybrid',
  },
};
