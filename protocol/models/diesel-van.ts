import { CAR_COMMANDS } from './command-sets.ts';
import type { SignalRow, VehicleModel } from './model.ts';
import { bodyPorts, dueDate, dueKm, inRow } from './row-sets.ts';
import { coded, frame, obd, STANDARD_OBD, words } from './rows.ts';

/**
 * A diesel van with AdBlue and the box on its diagnostic port. Engine, tank and AdBlue level are queried by OBD; the
 * gateway also lets two frames of the dashboard through, Motorola, only with ignition. The holder for fuel cards in
 * the glove box has its own output.
 *
 *   bus 0, 0x4b1   byte 0 tank, 0.5 l    byte 1 AdBlue, 0.1 l    byte 2-3 service due, 1 km − 10,000
 *                  byte 4-5 oil due, 1 km − 10,000    byte 6-7 service due: year (7 bits), month (4), day (5)
 *   bus 0, 0x4b2   byte 0-2 lamps, two bits each    byte 3-4 oil due: year, month, day    byte 5 cards, two bits each
 *
 *   digital ports 0-3: ignition, doors, lock, starter relay
 */
const stock = frame(0, 0x4b1, 'big');
const panel = frame(0, 0x4b2, 'big');

/** Contacts of the card holder: both open means that no card was ever registered for the slot. */
const CARD_WORDS = { 0: 'NOT_CONFIGURED', 1: 'PRESENT', 2: 'ABSENT' };

const rows: readonly SignalRow[] = [
  ...STANDARD_OBD,
  obd('exhaustFluidLevel'),
  coded(stock(7, 8), 'fuelLitres', 0.5),
  coded(stock(15, 8), 'adblueLitres', 0.1),
  dueKm(stock(23, 16), 'serviceDueKm'),
  dueKm(stock(39, 16), 'oilDueKm'),
  ...dueDate('serviceDueDay', { year: stock(55, 7), month: stock(48, 4), day: stock(60, 5) }),
  ...inRow(panel, 0, [
    'energyLow',
    'adblueLow',
    'oilPressureLow',
    'coolantLow',
    'coolantHot',
    'brakeLiningWorn',
    'brakeWarning',
    'tirePressureWarning',
    'washerFluidLow',
    'starterBatteryWarning',
    'absWarning',
    'epcWarning',
  ]),
  ...dueDate('oilDueDay', { year: panel(31, 7), month: panel(24, 4), day: panel(36, 5) }),
  words(panel(47, 2), 'card1', CARD_WORDS, { unavailable: 3 }),
  words(panel(45, 2), 'card2', CARD_WORDS, { unavailable: 3 }),
  ...bodyPorts(0),
];

export const dieselVan: VehicleModel = {
  name: 'diesel-van',
  brand: 'Orbis',
  series: 'Courier 2.0 D',
  fuelType: 'DIESEL',
  vehicleType: 'VAN',
  installation: 'OBD',
  transmission: 'MANUAL',
  yearOfProduction: 2020,
  vehicleCommands: CAR_COMMANDS,
  frames: [
    { bus: 0, id: 0x4b1, bytes: 8, always: false },
    { bus: 0, id: 0x4b2, bytes: 6, always: false },
  ],
  rows,
  body: {
    massKg: 2_140,
    doors: 5,
    energyCapacity: 75,
    consumptionPer100Km: 7.9,
    topSpeedKph: 158,
    maximumAccelerationMps2: 1.9,
    adblue: { litres: 17, litresPer1000Km: 1.4 },
  },
};
