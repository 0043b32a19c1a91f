import { CAR_COMMANDS } from './command-sets.ts';
import type { SignalRow, VehicleModel } from './model.ts';
import {
  BODY_SWITCHES,
  batteryRows,
  dueDaysInRow,
  dueKm,
  FIVE_BELTS,
  inRow,
  WARNING_LAMPS,
} from './row-sets.ts';
import { analog, coded, flag, frame, pair, scaled, troubleCodes, words } from './rows.ts';

/**
 * A plug-in hybrid with the box wired to both buses, Intel throughout. Drive and body of bus 0 sleep without ignition,
 * charging and body of bus 1 never do. A number of all ones means 'not available', one less 'sensor failed'.
 *
 *   bus 0, 0x0c9   byte 0-1 speed, 1/128 km/h    byte 2-3 engine, 0.5 rpm    byte 4 coolant, 1 °C − 40
 *                  byte 5-7 odometer, 0.1 km
 *   bus 0, 0x12a   byte 0 tank, 0.4 %    byte 1 battery, 0.5 %    bits 16-26 range, 1 km    bits 28-30 selector
 *                  byte 4 low-voltage net, 0.08 V    bits 40-41 parking brake, 42-43 stability control (1: off)
 *   bus 0, 0x3d5   lamps, two bits each, from bit 0 on
 *   bus 0, 0x3d6   bits 0-15 oil, 16-31 service, 32-47 brake fluid: due in days since 2000
 *   bus 0, 0x3d7   bits 0-15 oil, 16-31 service: due in 1 km − 10,000
 *   bus 1, 0x2f8   bits 0-1 plug, 2-3 charging, 4-14 minutes left    byte 2-5 serial number of the battery
 *   bus 1, 0x2f9   two bits each: ignition, doors, lock, starter permitted, windows, sunroof, key, headlights, and the
 *                  belts (front left and right, second row left, middle, right)
 *   bus 1, 0x2fa   the battery: byte 0 charge, 0.5 %    byte 1 temperature, 1 °C − 50    byte 2-3 0.01 V
 *                  byte 4-5 charge cycles
 *
 *   analogue port 0: the tank's sender, 40 mV a litre
 */
const drive = frame(0, 0x0c9, 'little');
const energy = frame(0, 0x12a, 'little');
const lamps = frame(0, 0x3d5, 'little');
const days = frame(0, 0x3d6, 'little');
const distances = frame(0, 0x3d7, 'little');
const plug = frame(1, 0x2f8, 'little');
const body = frame(1, 0x2f9, 'little');
const pack = frame(1, 0x2fa, 'little');

const rows: readonly SignalRow[] = [
  coded(drive(0, 16), 'speedKph', 1 / 128),
  coded(drive(16, 16), 'engineRpm', 0.5),
  coded(drive(32, 8), 'coolantTemperatureC', 1, -40),
  coded(drive(40, 24), 'mileageKm', 0.1),
  coded(energy(0, 8), 'energyPercent', 0.4),
  coded(energy(8, 8), 'hybridChargePercent', 0.5),
  coded(energy(16, 11), 'rangeKm'),
  words(
    energy(28, 3),
    'gear',
    { 0: 'PARK', 1: 'REVERSE', 2: 'NEUTRAL', 3: 'DRIVE', 4: 'SPORT' },
    { unavailable: 7 },
  ),
  coded(energy(32, 8), 'onboardVolts', 0.08),
  pair(energy(40, 2), 'parkingBrakeEngaged'),
  pair(energy(42, 2), 'espEnabled', { inverted: true }),
  ...inRow(lamps, 0, ['energyLow', ...WARNING_LAMPS, 'washerFluidLow']),
  ...dueDaysInRow(days),
  dueKm(distances(0, 16), 'oilDueKm'),
  dueKm(distances(16, 16), 'serviceDueKm'),
  troubleCodes,
  pair(plug(0, 2), 'chargingAdapterConnected'),
  pair(plug(2, 2), 'charging'),
  coded(plug(4, 11), 'chargingMinutesLeft'),
  scaled(plug(16, 32), 'battery1Serial', 1, 0, { unavailable: 0xffff_ffff }),
  ...batteryRows(pack, 1),
  ...inRow(body, 0, BODY_SWITCHES),
  flag(body(12, 2), 'keyPresent', { unavailable: 3 }),
  ...inRow(body, 14, ['headlightsOn', ...FIVE_BELTS]),
  scaled(analog(0), 'fuelLitres', 1 / 40),
];

export const plugInHybrid: VehicleModel = {
  name: 'plug-in-hybrid',
  brand: 'Calder',
  series: 'Compact P-HEV',
  fuelType: 'HYBRID',
  vehicleType: 'CAR',
  installation: 'HARDWIRED',
  transmission: 'AUTOMATIC',
  yearOfProduction: 2023,
  vehicleCommands: [...CAR_COMMANDS, 'draw-attention'],
  frames: [
    { bus: 0, id: 0x0c9, bytes: 8, always: false },
    { bus: 0, id: 0x12a, bytes: 6, always: false },
    { bus: 0, id: 0x3d5, bytes: 4, always: false },
    { bus: 0, id: 0x3d6, bytes: 6, always: false },
    { bus: 0, id: 0x3d7, bytes: 4, always: false },
    { bus: 1, id: 0x2f8, bytes: 6, always: true },
    { bus: 1, id: 0x2f9, bytes: 4, always: true },
    { bus: 1, id: 0x2fa, bytes: 6, always: true },
  ],
  rows,
  body: {
    massKg: 1_620,
    doors: 5,
    energyCapacity: 40,
    consumptionPer100Km: 5.1,
    topSpeedKph: 185,
    maximumAccelerationMps2: 3,
    chargeKw: 7.2,
    hybrid: { capacityKwh: 12.5, consumptionPer100Km: 16.5 },
  },
};
