import { SCOOTER_COMMANDS } from './command-sets.ts';
import type { SignalRow, VehicleModel } from './model.ts';
import { analog, digital, flag, obd, scaled, troubleCodes } from './rows.ts';

/**
 * A petrol scooter. It has no bus that the box could read, but the diagnostic connector of its engine control (SAE
 * J1979), which also reports the switch that turns the anti-lock brakes off. The rest are wires: the rider's
 * ignition switch, stand, case, lamp, and the tank's sender.
 *
 *   digital ports   6 5 4 3 2 1 0
 *                   │ │ │ │ │ │ └ ignition switch: 0 on
 *                   │ │ │ │ │ └── centre stand: 1 extended
 *                   │ │ │ │ └──── top case lid contact: 1 open
 *                   │ │ │ └────── top case bolt: 0 locked
 *                   │ │ └──────── starter relay: 1 interrupted
 *                   │ └────────── headlight: 1 on
 *                   └──────────── low fuel lamp: 1 lit
 *
 *   analogue port 1: the tank's sender, 25 mV for each 0.1 l
 */
const rows: readonly SignalRow[] = [
  obd('malfunctionIndicator'),
  obd('engineSpeed'),
  obd('vehicleSpeed'),
  obd('fuelLevel'),
  obd('controlModuleVoltage'),
  obd('odometer', { unavailable: 0xffff_ffff }),
  obd('antiLockOffSwitch', { inverted: true }),
  troubleCodes,
  flag(digital(0), 'ignitionOn', { inverted: true, feeds: ['ignition'] }),
  flag(digital(1), 'standExtended'),
  flag(digital(2), 'topCaseOpen'),
  flag(digital(3), 'topCaseLocked', { inverted: true }),
  flag(digital(4), 'drivingEnabled', { inverted: true }),
  flag(digital(5), 'headlightsOn'),
  flag(digital(6), 'energyLow'),
  scaled(analog(1), 'fuelLitres', 0.004),
];

export const scooter: VehicleModel = {
  name: 'scooter',
  brand: 'Fennel',
  series: 'Metro 125',
  fuelType: 'PETROL',
  vehicleType: 'MOPED',
  installation: 'HARDWIRED',
  transmission: 'AUTOMATIC',
  yearOfProduction: 2021,
  vehicleCommands: SCOOTER_COMMANDS,
  frames: [],
  rows,
  body: {
    massKg: 138,
    doors: 0,
    energyCapacity: 7,
    consumptionPer100Km: 2.3,
    topSpeedKph: 95,
    maximumAccelerationMps2: 2.4,
  },
};
