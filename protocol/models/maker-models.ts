import type { SignalRow, VehicleModel } from './model.ts';
import type { SwitchQuantity } from './quantities.ts';

/**
 * A contact in the car's own network. It shows that the part exists, and feeds nothing: its signal is not
 * transmitted.
 */
const contact = (port: number, quantity: SwitchQuantity): SignalRow => ({
  source: { from: 'digital', port },
  quantity,
  factor: 1,
  offset: 0,
  feeds: [],
});

/**
 * Models that are connected to their maker's cloud and have no box. Their properties and commands are defined
 * with their maker (backend/third-party); here are their physics.
 */
const electricEstate: VehicleModel = {
  name: 'electric-estate',
  brand: 'Northwind',
  series: 'Estate E',
  fuelType: 'ELECTRIC',
  vehicleType: 'CAR',
  installation: 'HARDWIRED',
  transmission: 'AUTOMATIC',
  yearOfProduction: 2024,
  vehicleCommands: ['draw-attention'],
  frames: [],
  rows: [
    contact(0, 'ignitionOn'),
    contact(1, 'anyDoorOpen'),
    contact(2, 'locked'),
    contact(3, 'drivingEnabled'),
  ],
  body: {
    massKg: 1_890,
    doors: 5,
    energyCapacity: 71,
    consumptionPer100Km: 17.8,
    topSpeedKph: 180,
    maximumAccelerationMps2: 3.6,
    chargeKw: 50,
  },
};

/** A scooter of a sharing fleet: no doors and no central lock, a top case and a compartment for its battery. */
const electricScooter: VehicleModel = {
  name: 'electric-scooter',
  brand: 'Northwind',
  series: 'Scooter E',
  fuelType: 'ELECTRIC',
  vehicleType: 'MOPED',
  installation: 'HARDWIRED',
  transmission: 'AUTOMATIC',
  yearOfProduction: 2024,
  vehicleCommands: ['draw-attention'],
  frames: [],
  rows: [
    contact(0, 'ignitionOn'),
    contact(1, 'drivingEnabled'),
    contact(2, 'topCaseOpen'),
    contact(3, 'topCaseLocked'),
    contact(4, 'compartmentLocked'),
  ],
  body: {
    massKg: 104,
    doors: 0,
    energyCapacity: 3.6,
    consumptionPer100Km: 3.1,
    topSpeedKph: 45,
    maximumAccelerationMps2: 2,
    batteryPorts: 1,
  },
};

/** By name; none has the name of a model with a box. */
export const MAKER_MODELS: ReadonlyMap<string, VehicleModel> = new Map([
  [electricEstate.name, electricEstate],
  [electricScooter.name, electricScooter],
]);
