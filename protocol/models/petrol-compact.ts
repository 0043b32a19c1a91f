import { CAR_COMMANDS } from './command-sets.ts';
import type { SignalRow, VehicleModel } from './model.ts';
import { bodyPorts } from './row-sets.ts';
import { analog, STANDARD_OBD, scaled } from './rows.ts';

/**
 * A small petrol car with the box on its diagnostic port. Speed, tank and mileage are queried by OBD (SAE J1979
 * mode 01); doors, lock, ignition and the starter's relay are wired to digital ports.
 *
 *   digital ports   3 2 1 0
 *                   │ │ │ └ ignition (terminal 15): 1 on
 *                   │ │ └── door contacts in a row: 0 any open
 *                   │ └──── central lock motor: 1 locked
 *                   └────── starter relay: 1 interrupted
 *
 *   analogue port 0: the tank's sender, 100 mV a litre
 */
const rows: readonly SignalRow[] = [...STANDARD_OBD, ...bodyPorts(0), scaled(analog(0), 'fuelLitres', 0.01)];

export const petrolCompact: VehicleModel = {
  name: 'petrol-compact',
  brand: 'Calder',
  series: 'Compact 1.2',
  fuelType: 'PETROL',
  vehicleType: 'CAR',
  installation: 'OBD',
  transmission: 'MANUAL',
  yearOfProduction: 2021,
  vehicleCommands: CAR_COMMANDS,
  frames: [],
  rows,
  body: {
    massKg: 1_050,
    doors: 5,
    energyCapacity: 42,
    consumptionPer100Km: 5.4,
    topSpeedKph: 172,
    maximumAccelerationMps2: 2.6,
  },
};
