import { CAR_COMMANDS } from './command-sets.ts';
import type { SignalRow, VehicleModel } from './model.ts';
import { dueDaysInRow, dueKm, inRow, WARNING_LAMPS } from './row-sets.ts';
import { coded, digital, flag, frame, pair, troubleCodes, words } from './rows.ts';

/**
 * A cargo van with automatic gearbox, AdBlue and a holder for three cards. Its buses use the protocol of lorries (SAE
 * J1939): Intel, identifiers of 29 bits, all ones 'not available', one less 'error'. Speed, distance, tank and AdBlue
 * are scaled as in SAE J1939-71; the engine is not (its SPN 190 has 0.125 rpm, which ends at 8,031), and lamps and
 * levels are the maker's own.
 *
 *   bus 0, 0x0cf00400   byte 3-4 engine, 0.25 rpm bus 0, 0x18fef100   byte 1-2 wheel speed, 1/256 km/h    bits 2-3 of
 *   byte 0 parking brake    bits 24-27 selector bus 0, 0x18fee000   byte 4-7 distance, 0.125 km bus 0, 0x18fefc00
 *   byte 0 washer fluid lamp (2 bits)    byte 1 tank, 0.4 %    byte 2 tank, 0.5 l bus 0, 0x18fe5600   byte 0 AdBlue,
 *   0.4 %    byte 1 AdBlue, 0.2 l    bits 16-17 AdBlue low, 18-19 fuel low
 *                       byte 3 low-voltage net, 0.1 V    byte 4-5 range, 0.05 km
 *   bus 1, 0x18feca10   lamps, two bits each    byte 4-5 service due, 1 km − 10,000    byte 6-7 oil due, 1 km − 10,000
 *   bus 1, 0x18fec010   byte 0-1 oil, 2-3 service, 4-5 brake fluid: due in days since 2000 bus 1, 0x18ff2010   bits
 *   0-1, 2-3, 4-5 cards    two bits each from 8 on: key, doors, lock, starter permitted,
 *                       ignition, front belts
 *
 *   digital port 0: load compartment and cab windows in a row, 1 any open
 */
const engine = frame(0, 0x0cf00400, 'little');
const motion = frame(0, 0x18fef100, 'little');
const distance = frame(0, 0x18fee000, 'little');
const dash = frame(0, 0x18fefc00, 'little');
const fluid = frame(0, 0x18fe5600, 'little');
const panel = frame(1, 0x18feca10, 'little');
const due = frame(1, 0x18fec010, 'little');
const cab = frame(1, 0x18ff2010, 'little');

const CARD_WORDS = { 0: 'ABSENT', 1: 'PRESENT', 2: 'NOT_CONFIGURED' };

const rows: readonly SignalRow[] = [
  coded(engine(24, 16), 'engineRpm', 0.25),
  pair(motion(2, 2), 'parkingBrakeEngaged'),
  coded(motion(8, 16), 'speedKph', 1 / 256),
  words(motion(24, 4), 'gear', { 0: 'PARK', 1: 'REVERSE', 2: 'NEUTRAL', 3: 'DRIVE' }, { unavailable: 15 }),
  coded(distance(32, 32), 'mileageKm', 0.125),
  pair(dash(0, 2), 'washerFluidLow'),
  coded(dash(8, 8), 'energyPercent', 0.4),
  coded(dash(16, 8), 'fuelLitres', 0.5),
  coded(fluid(0, 8), 'adbluePercent', 0.4),
  coded(fluid(8, 8), 'adblueLitres', 0.2),
  pair(fluid(16, 2), 'adblueLow'),
  pair(fluid(18, 2), 'energyLow'),
  coded(fluid(24, 8), 'onboardVolts', 0.1),
  coded(fluid(32, 16), 'rangeKm', 0.05),
  ...inRow(panel, 0, WARNING_LAMPS),
  dueKm(panel(32, 16), 'serviceDueKm'),
  dueKm(panel(48, 16), 'oilDueKm'),
  ...dueDaysInRow(due),
  words(cab(0, 2), 'card1', CARD_WORDS, { unavailable: 3 }),
  words(cab(2, 2), 'card2', CARD_WORDS, { unavailable: 3 }),
  words(cab(4, 2), 'card3', CARD_WORDS, { unavailable: 3 }),
  ...inRow(cab, 8, [
    'keyPresent',
    'anyDoorOpen',
    'locked',
    'drivingEnabled',
    'ignitionOn',
    'beltFrontLeft',
    'beltFrontRight',
  ]),
  troubleCodes,
  flag(digital(0), 'windowsOpen'),
];

export const cargoVan: VehicleModel = {
  name: 'cargo-van',
  brand: 'Haulwright',
  series: 'Cargo 3.5 D',
  fuelType: 'DIESEL',
  vehicleType: 'VAN',
  installation: 'HARDWIRED',
  transmission: 'AUTOMATIC',
  yearOfProduction: 2023,
  vehicleCommands: CAR_COMMANDS,
  frames: [
    { bus: 0, id: 0x0cf00400, bytes: 8, always: false },
    { bus: 0, id: 0x18fef100, bytes: 8, always: false },
    { bus: 0, id: 0x18fee000, bytes: 8, always: false },
    { bus: 0, id: 0x18fefc00, bytes: 8, always: false },
    { bus: 0, id: 0x18fe5600, bytes: 8, always: false },
    { bus: 1, id: 0x18feca10, bytes: 8, always: true },
    { bus: 1, id: 0x18fec010, bytes: 6, always: true },
    { bus: 1, id: 0x18ff2010, bytes: 3, always: true },
  ],
  rows,
  body: {
    massKg: 2_480,
    doors: 4,
    energyCapacity: 80,
    consumptionPer100Km: 9.6,
    topSpeedKph: 145,
    maximumAccelerationMps2: 1.6,
    adblue: { litres: 22, litresPer1000Km: 1.8 },
  },
};
