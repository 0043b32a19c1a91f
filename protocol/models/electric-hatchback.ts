import { CAR_COMMANDS } from './command-sets.ts';
import type { SignalRow, VehicleModel } from './model.ts';
import { inRow } from './row-sets.ts';
import { coded, digital, flag, frame, pair, scaled, troubleCodes, words } from './rows.ts';

/**
 * An electric hatchback with the box wired to both CAN buses. The drive's bus 0 is Motorola throughout and silent
 * without ignition; the body's bus 1 mixes both orders and never sleeps. A number of all ones means 'not available',
 * one less 'sensor failed'; two-bit switches say 0 no, 1 yes, 2 failed, 3 not available.
 *
 *   bus 0, 0x1a0   byte 0-1 speed, 0.01 km/h (big)    byte 2 rotor, 64 rpm    byte 3 low-voltage net, 0.1 V
 *   bus 0, 0x320   byte 1-3 odometer, 0.1 km (big)
 *   bus 1, 0x3c5   bits 0-9 state of charge, 0.1 % (little)    bits 23.. range, 1 km, 10 bits (big)
 *   bus 1, 0x3c6   bits 0-1 plug, 2-3 charging, 4-5 charge low (little)    bits 15.. minutes left, 11 bits (big)
 *                  bits 32-34 selector (little)
 *   bus 1, 0x18fef100 (29 bits)   bits 0-1 doors, 2-3 lock, 4-5 ignition (little)
 *   bus 1, 0x18fef101 (29 bits)   bits 0-1 windows, 2-3 headlights, 4-5 key, 6-7 anti-lock brakes lamp, 8-9 tyres lamp,
 *                                 10-11 brake lining lamp (little)
 */
const drive = frame(0, 0x1a0, 'big');
const body = frame(1, 0x18fef100, 'little');
const comfort = frame(1, 0x18fef101, 'little');
const plug = frame(1, 0x3c6, 'little');

const rows: readonly SignalRow[] = [
  coded(drive(7, 16), 'speedKph', 0.01),
  scaled(drive(23, 8), 'engineRpm', 64, 0, { unavailable: 0xff }),
  coded(drive(31, 8), 'onboardVolts', 0.1),
  coded(frame(0, 0x320, 'big')(15, 24), 'mileageKm', 0.1),
  coded(frame(1, 0x3c5, 'little')(0, 10), 'energyPercent', 0.1),
  coded(frame(1, 0x3c5, 'big')(23, 10), 'rangeKm'),
  ...inRow(plug, 0, ['chargingAdapterConnected', 'charging', 'energyLow']),
  coded(frame(1, 0x3c6, 'big')(15, 11), 'chargingMinutesLeft'),
  words(
    plug(32, 3),
    'gear',
    { 1: 'PARK', 2: 'REVERSE', 3: 'NEUTRAL', 4: 'DRIVE', 5: 'SPORT' },
    { unavailable: 0 },
  ),
  pair(body(0, 2), 'anyDoorOpen'),
  pair(body(2, 2), 'locked'),
  pair(body(4, 2), 'ignitionOn'),
  ...inRow(comfort, 0, [
    'windowsOpen',
    'headlightsOn',
    'keyPresent',
    'absWarning',
    'tirePressureWarning',
    'brakeLiningWorn',
  ]),
  troubleCodes,
  flag(digital(3), 'drivingEnabled', { inverted: true }),
];

export const electricHatchback: VehicleModel = {
  name: 'electric-hatchback',
  brand: 'Lumen',
  series: 'Hatch E',
  fuelType: 'ELECTRIC',
  vehicleType: 'CAR',
  installation: 'HARDWIRED',
  transmission: 'AUTOMATIC',
  yearOfProduction: 2023,
  vehicleCommands: CAR_COMMANDS,
  frames: [
    { bus: 0, id: 0x1a0, bytes: 8, always: false },
    { bus: 0, id: 0x320, bytes: 4, always: false },
    { bus: 1, id: 0x3c5, bytes: 8, always: true },
    { bus: 1, id: 0x3c6, bytes: 5, always: true },
    { bus: 1, id: 0x18fef100, bytes: 2, always: true },
    { bus: 1, id: 0x18fef101, bytes: 2, always: true },
  ],
  rows,
  body: {
    massKg: 1_610,
    doors: 5,
    energyCapacity: 52,
    consumptionPer100Km: 15.5,
    topSpeedKph: 150,
    maximumAccelerationMps2: 3.4,
    chargeKw: 50,
  },
};
