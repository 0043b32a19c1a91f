import { CAR_COMMANDS } from './command-sets.ts';
import type { SignalRow, VehicleModel } from './model.ts';
import { dueDate, dueKm, inRow } from './row-sets.ts';
import { coded, digital, flag, frame, pair, troubleCodes, words } from './rows.ts';

/**
 * A small electric car with a fabric top, charged at kerbs. One bus, Motorola, identifiers of 29 bits; it never sleeps
 * while the car is plugged in or driven, and the box wakes it, so every frame is always there.
 *
 *   0x0cf00401   byte 0-1 speed, 0.01 km/h    byte 2-3 motor, 1 rpm    byte 4-6 odometer, 0.1 km    byte 7 net, 0.1 V
 *   0x18f0090b   byte 0-1 state of charge, 0.01 %    byte 2-3 range, 0.1 km    byte 4 selector    byte 5-6 minutes left
 *                byte 7 two bits each: plug, charging, brake pulled, headlights
 *   0x18fef121   two bits each from bit 7 down: lamps; byte 4-5 brake fluid due: year, month, day    byte 6-7 service
 *                due, 1 km − 10,000
 *   0x18fef122   byte 0-1 service due: year, month, day    two bits each: windows, top, belts, anti-lock brakes
 *
 *   digital ports 0-3: ignition, doors, lock, drive permitted    4: key on its hook, open while it is there
 */
const drive = frame(0, 0x0cf00401, 'big');
const charge = frame(0, 0x18f0090b, 'big');
const panel = frame(0, 0x18fef121, 'big');
const cabin = frame(0, 0x18fef122, 'big');

const rows: readonly SignalRow[] = [
  coded(drive(7, 16), 'speedKph', 0.01),
  coded(drive(23, 16), 'engineRpm'),
  coded(drive(39, 24), 'mileageKm', 0.1),
  coded(drive(63, 8), 'onboardVolts', 0.1),
  coded(charge(7, 16), 'energyPercent', 0.01),
  coded(charge(23, 16), 'rangeKm', 0.1),
  words(charge(39, 8), 'gear', {
    80: 'PARK',
    82: 'REVERSE',
    78: 'NEUTRAL',
    68: 'DRIVE',
    83: 'SPORT',
  }),
  coded(charge(47, 16), 'chargingMinutesLeft'),
  pair(charge(63, 2), 'chargingAdapterConnected'),
  pair(charge(61, 2), 'charging'),
  pair(charge(59, 2), 'parkingBrakeEngaged'),
  pair(charge(57, 2), 'headlightsOn'),
  ...inRow(panel, 0, [
    'energyLow',
    'absWarning',
    'brakeFluidLow',
    'brakeLiningWorn',
    'brakeWarning',
    'coolantLow',
    'epcWarning',
    'espWarning',
    'powerSteeringFailed',
    'starterBatteryWarning',
    'tirePressureWarning',
    'washerFluidLow',
    'checkEngine',
    'coolantHot',
  ]),
  ...dueDate('brakeFluidDueDay', { year: panel(39, 7), month: panel(32, 4), day: panel(44, 5) }),
  dueKm(panel(55, 16), 'serviceDueKm'),
  ...dueDate('serviceDueDay', { year: cabin(7, 7), month: cabin(0, 4), day: cabin(12, 5) }),
  ...inRow(cabin, 16, ['windowsOpen', 'convertibleTopOpen', 'beltFrontLeft', 'beltFrontRight', 'absEnabled']),
  troubleCodes,
  flag(digital(0), 'ignitionOn'),
  flag(digital(1), 'anyDoorOpen'),
  flag(digital(2), 'locked', { inverted: true }),
  flag(digital(3), 'drivingEnabled'),
  flag(digital(4), 'keyPresent', { inverted: true }),
];

export const electricCityCar: VehicleModel = {
  name: 'electric-city-car',
  brand: 'Lumen',
  series: 'Piccolo E Top',
  fuelType: 'ELECTRIC',
  vehicleType: 'CAR',
  installation: 'HARDWIRED',
  transmission: 'AUTOMATIC',
  yearOfProduction: 2024,
  vehicleCommands: [...CAR_COMMANDS, 'draw-attention'],
  frames: [
    { bus: 0, id: 0x0cf00401, bytes: 8, always: true },
    { bus: 0, id: 0x18f0090b, bytes: 8, always: true },
    { bus: 0, id: 0x18fef121, bytes: 8, always: true },
    { bus: 0, id: 0x18fef122, bytes: 4, always: true },
  ],
  rows,
  body: {
    massKg: 1_180,
    doors: 3,
    energyCapacity: 36,
    consumptionPer100Km: 13.8,
    topSpeedKph: 135,
    maximumAccelerationMps2: 2.8,
    chargeKw: 22,
  },
};
