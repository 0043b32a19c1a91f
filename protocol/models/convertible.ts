import { CAR_COMMANDS } from './command-sets.ts';
import type { SignalRow, VehicleModel } from './model.ts';
import { bodyPorts, dueDays, dueKm } from './row-sets.ts';
import { analog, digital, flag, frame, STANDARD_OBD, scaled, words } from './rows.ts';

/**
 * A petrol convertible of an older make with the box on its diagnostic port. Signals that OBD lacks come from one
 * comfort bus, Intel, in single bits (1 yes, no code for failures), and from wires.
 *
 *   bus 1, 0x281   bits 0-3 selector    8 windows    9 top    10 belt front left    11 belt front right
 *                  12 anti-lock brakes on    13 stability control on    14 headlights    15 parking brake
 *   bus 1, 0x621   byte 0-1 service due, 1 km − 10,000    byte 2-3 service due, days since 2000
 *                  byte 4-5 brake fluid due, days since 2000
 *                  48 stability lamp    49 power steering lamp    50 brake lamp    51 washer fluid    52 tyres
 *
 *   digital ports 0-3: ignition, doors, lock, starter relay    4: key in its lock analogue port 2: the tank's
 *   sender, 50 mV a litre, 200 mV when empty
 */
const comfort = frame(1, 0x281, 'little');
const panel = frame(1, 0x621, 'little');

const rows: readonly SignalRow[] = [
  ...STANDARD_OBD,
  words(comfort(0, 4), 'gear', { 8: 'PARK', 7: 'REVERSE', 6: 'NEUTRAL', 5: 'DRIVE', 12: 'SPORT' }),
  flag(comfort(8, 1), 'windowsOpen'),
  flag(comfort(9, 1), 'convertibleTopOpen'),
  flag(comfort(10, 1), 'beltFrontLeft'),
  flag(comfort(11, 1), 'beltFrontRight'),
  flag(comfort(12, 1), 'absEnabled'),
  flag(comfort(13, 1), 'espEnabled'),
  flag(comfort(14, 1), 'headlightsOn'),
  flag(comfort(15, 1), 'parkingBrakeEngaged'),
  dueKm(panel(0, 16), 'serviceDueKm'),
  dueDays(panel(16, 16), 'serviceDueDay'),
  dueDays(panel(32, 16), 'brakeFluidDueDay'),
  flag(panel(48, 1), 'espWarning'),
  flag(panel(49, 1), 'powerSteeringFailed'),
  flag(panel(50, 1), 'brakeWarning'),
  flag(panel(51, 1), 'washerFluidLow'),
  flag(panel(52, 1), 'tirePressureWarning'),
  ...bodyPorts(0),
  flag(digital(4), 'keyPresent'),
  scaled(analog(2), 'fuelLitres', 1 / 50, -4),
];

export const convertible: VehicleModel = {
  name: 'convertible',
  brand: 'Ardent',
  series: 'Spider 1.8',
  fuelType: 'PETROL',
  vehicleType: 'CAR',
  installation: 'OBD',
  transmission: 'AUTOMATIC',
  yearOfProduction: 2018,
  vehicleCommands: CAR_COMMANDS,
  frames: [
    { bus: 1, id: 0x281, bytes: 2, always: true },
    { bus: 1, id: 0x621, bytes: 7, always: false },
  ],
  rows,
  body: {
    massKg: 1_340,
    doors: 2,
    energyCapacity: 48,
    consumptionPer100Km: 7.2,
    topSpeedKph: 195,
    maximumAccelerationMps2: 3.4,
  },
};
