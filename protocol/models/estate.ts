import { CAR_COMMANDS } from './command-sets.ts';
import type { SignalRow, VehicleModel } from './model.ts';
import { BODY_SWITCHES, dueDaysInRow, dueKm, FIVE_BELTS, inRow, WARNING_LAMPS } from './row-sets.ts';
import { coded, frame, scaled, troubleCodes, words } from './rows.ts';

/**
 * A petrol estate with a sunroof, the box wired to both buses. Unlike orders and widths side by side: the engine's
 * frames are Motorola with odd start bits, the dashboard's Intel.
 *
 *   bus 0, 0x105   engine, 4 rpm, 12 bits from bit 3 down    speed, 1/16 km/h, 15 bits from bit 22 down
 *                  byte 4 coolant, 0.8 °C − 48    byte 5 low-voltage net, 0.07 V
 *   bus 0, 0x3e9   byte 0-3 odometer, 10 m    selector, 4 bits from bit 35 down
 *   bus 1, 0x470   two bits each: ignition, doors, lock, starter permitted, windows, sunroof, key, headlights, brake
 *                  pulled, anti-lock brakes, stability control, and five belts
 *   bus 1, 0x471   lamps, two bits each
 *   bus 1, 0x472   byte 0 tank, 0.4 %    byte 1 tank, 0.4 l    bits 16-25 range, 1 km    bits 32-47 service and
 *                  48-63 oil: due in 1 km − 10,000
 *   bus 1, 0x473   byte 0-1 oil, 2-3 service, 4-5 brake fluid: due in days since 2000 (Motorola)
 */
const engine = frame(0, 0x105, 'big');
const odometer = frame(0, 0x3e9, 'big');
const body = frame(1, 0x470, 'little');
const lamps = frame(1, 0x471, 'little');
const stock = frame(1, 0x472, 'little');
const due = frame(1, 0x473, 'big');

const rows: readonly SignalRow[] = [
  coded(engine(3, 12), 'engineRpm', 4),
  coded(engine(22, 15), 'speedKph', 1 / 16),
  coded(engine(39, 8), 'coolantTemperatureC', 0.8, -48),
  coded(engine(47, 8), 'onboardVolts', 0.07),
  scaled(odometer(7, 32), 'mileageKm', 0.01, 0, { unavailable: 0xffff_ffff }),
  words(
    odometer(35, 4),
    'gear',
    { 1: 'DRIVE', 2: 'SPORT', 6: 'NEUTRAL', 7: 'REVERSE', 8: 'PARK' },
    {
      unavailable: 15,
    },
  ),
  ...inRow(body, 0, [
    ...BODY_SWITCHES,
    'keyPresent',
    'headlightsOn',
    'parkingBrakeEngaged',
    'absEnabled',
    'espEnabled',
    ...FIVE_BELTS,
  ]),
  ...inRow(lamps, 0, ['energyLow', ...WARNING_LAMPS, 'washerFluidLow']),
  coded(stock(0, 8), 'energyPercent', 0.4),
  coded(stock(8, 8), 'fuelLitres', 0.4),
  coded(stock(16, 10), 'rangeKm'),
  dueKm(stock(32, 16), 'serviceDueKm'),
  dueKm(stock(48, 16), 'oilDueKm'),
  ...dueDaysInRow(due),
  troubleCodes,
];

export const estate: VehicleModel = {
  name: 'estate',
  brand: 'Orbis',
  series: 'Tour 1.6 T',
  fuelType: 'PETROL',
  vehicleType: 'CAR',
  installation: 'HARDWIRED',
  transmission: 'AUTOMATIC',
  yearOfProduction: 2022,
  vehicleCommands: [...CAR_COMMANDS, 'draw-attention'],
  frames: [
    { bus: 0, id: 0x105, bytes: 6, always: false },
    { bus: 0, id: 0x3e9, bytes: 5, always: false },
    { bus: 1, id: 0x470, bytes: 4, always: true },
    { bus: 1, id: 0x471, bytes: 4, always: true },
    { bus: 1, id: 0x472, bytes: 8, always: true },
    { bus: 1, id: 0x473, bytes: 6, always: true },
  ],
  rows,
  body: {
    massKg: 1_510,
    doors: 5,
    energyCapacity: 55,
    consumptionPer100Km: 6.3,
    topSpeedKph: 198,
    maximumAccelerationMps2: 2.9,
  },
};
