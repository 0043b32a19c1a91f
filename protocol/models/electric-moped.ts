import { SCOOTER_COMMANDS } from './command-sets.ts';
import type { SignalRow, VehicleModel } from './model.ts';
import { batteryRows } from './row-sets.ts';
import { coded, digital, flag, frame, scaled } from './rows.ts';

/**
 * An electric moped of a sharing fleet. Its batteries are swapped under the seat, its ignition is a switch that the
 * rider turns by hand, and it has a top case, a centre stand, lights and a horn that the box can reach; no doors and
 * no central lock. One bus, Intel throughout; the drive is silent without ignition, battery and odometer never are.
 *
 *   bus 0, 0x2a0   byte 0-1 speed, 0.01 km/h    byte 2-3 motor, 1 rpm    byte 4 low-voltage net, 0.1 V
 *   bus 0, 0x2b4   byte 0 state of charge, 0.5 %    bits 8-17 range, 1 km
 *   bus 0, 0x2c0   byte 0-2 odometer, 0.1 km
 *   bus 0, 0x2d1   battery in port 1: byte 0 charge, 0.5 %    byte 1 temperature, 1 °C − 50    byte 2-3 0.01 V
 *                  byte 4-5 charge cycles; 0x2d2 the same for port 2
 *   bus 0, 0x2d3   byte 0-3 serial number of the battery in port 1, 4-7 in port 2; all ones: the port is empty
 *
 *   digital ports   5 4 3 2 1 0
 *                   │ │ │ │ │ └ ignition switch: 1 on
 *                   │ │ │ │ └── centre stand: 1 extended
 *                   │ │ │ └──── top case lid contact: 0 open
 *                   │ │ └────── drive relay: 1 interrupted
 *                   │ └──────── top case bolt: 1 locked
 *                   └────────── battery compartment latch: 1 shut
 */
const drive = frame(0, 0x2a0, 'little');
const pack = frame(0, 0x2b4, 'little');
const odometer = frame(0, 0x2c0, 'little');
const first = frame(0, 0x2d1, 'little');
const second = frame(0, 0x2d2, 'little');
const serials = frame(0, 0x2d3, 'little');

const rows: readonly SignalRow[] = [
  scaled(drive(0, 16), 'speedKph', 0.01, 0, { unavailable: 0xffff }),
  scaled(drive(16, 16), 'engineRpm', 1, 0, { unavailable: 0xffff }),
  scaled(drive(32, 8), 'onboardVolts', 0.1, 0, { unavailable: 0xff }),
  coded(pack(0, 8), 'energyPercent', 0.5),
  scaled(pack(8, 10), 'rangeKm', 1, 0, { unavailable: 0x3ff }),
  scaled(odometer(0, 24), 'mileageKm', 0.1, 0, { unavailable: 0xff_ffff }),
  ...batteryRows(first, 1),
  ...batteryRows(second, 2),
  scaled(serials(0, 32), 'battery1Serial', 1, 0, { unavailable: 0xffff_ffff }),
  scaled(serials(32, 32), 'battery2Serial', 1, 0, { unavailable: 0xffff_ffff }),
  flag(digital(0), 'ignitionOn', { feeds: ['ignition'] }),
  flag(digital(1), 'standExtended'),
  flag(digital(2), 'topCaseOpen', { inverted: true }),
  flag(digital(3), 'drivingEnabled', { inverted: true }),
  flag(digital(4), 'topCaseLocked'),
  flag(digital(5), 'compartmentLocked'),
];

export const electricMoped: VehicleModel = {
  name: 'electric-moped',
  brand: 'Fennel',
  series: 'City E',
  fuelType: 'ELECTRIC',
  vehicleType: 'MOPED',
  installation: 'HARDWIRED',
  transmission: 'AUTOMATIC',
  yearOfProduction: 2022,
  vehicleCommands: [...SCOOTER_COMMANDS, 'unlock-battery-compartment'],
  frames: [
    { bus: 0, id: 0x2a0, bytes: 8, always: false },
    { bus: 0, id: 0x2b4, bytes: 4, always: true },
    { bus: 0, id: 0x2c0, bytes: 3, always: true },
    { bus: 0, id: 0x2d1, bytes: 6, always: true },
    { bus: 0, id: 0x2d2, bytes: 6, always: true },
    { bus: 0, id: 0x2d3, bytes: 8, always: true },
  ],
  rows,
  body: {
    massKg: 112,
    doors: 0,
    energyCapacity: 4,
    consumptionPer100Km: 3.2,
    topSpeedKph: 45,
    maximumAccelerationMps2: 2.1,
    batteryPorts: 2,
  },
};
