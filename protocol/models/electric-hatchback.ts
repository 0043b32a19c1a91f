import type { FrameShape, Source, VehicleModel } from './model.ts';

/**
 * An electric hatchback with the box wired to both CAN buses. The drive's bus 0 is Motorola throughout and silent
 * without ignition; the body's bus 1 mixes both orders and never sleeps. A number of all ones means 'not available',
 * one less 'sensor failed'; two-bit switches say 0 no, 1 yes, 2 failed, 3 not available.
 *
 *   bus 0, 0x1a0   byte 0-1 speed, 0.01 km/h (big)    byte 2 rotor, 64 rpm    byte 3 low-voltage net, 0.1 V
 *   bus 0, 0x320   byte 1-3 odometer, 0.1 km (big)
 *   bus 1, 0x3c5   bits 0-9 state of charge, 0.1 % (little)    bits 23.. range, 1 km, 10 bits (big)
 *   bus 1, 0x18fef100 (29 bits)   bits 0-1 doors, 2-3 lock, 4-5 ignition (little)
 */
export const electricHatchback: VehicleModel = {
  name: 'electric-hatchback',
  brand: 'Lumen',
  series: 'Hatch E',
  fuelType: 'ELECTRIC',
  vehicleType: 'CAR',
  installation: 'HARDWIRED',
  transmission: 'AUTOMATIC',
  yearOfProduction: 2023,
  vehicleCommands: [
    'request-vehicle-state',
    'enable-driving',
    'disable-driving',
    'unlock-central-lock',
    'lock-central-lock',
    'unlock-and-enable-driving',
    'lock-and-disable-driving',
  ],
  frames: [
    { bus: 0, id: 0x1a0, bytes: 8, always: false },
    { bus: 0, id: 0x320, bytes: 4, always: false },
    { bus: 1, id: 0x3c5, bytes: 8, always: true },
    { bus: 1, id: 0x18fef100, bytes: 2, always: true },
  ],
  rows: [
    {
      source: can(0, 0x1a0, 7, 16, 'big'),
      quantity: 'speedKph',
      factor: 0.01,
      offset: 0,
      unavailable: 0xffff,
      failure: 0xfffe,
      feeds: ['speed_in_kph'],
    },
    {
      source: can(0, 0x1a0, 23, 8, 'big'),
      quantity: 'engineRpm',
      factor: 64,
      offset: 0,
      unavailable: 0xff,
      feeds: [],
    },
    {
      source: can(0, 0x1a0, 31, 8, 'big'),
      quantity: 'onboardVolts',
      factor: 0.1,
      offset: 0,
      unavailable: 0xff,
      failure: 0xfe,
      feeds: ['onboard_voltage_in_volts'],
    },
    {
      source: can(0, 0x320, 15, 24, 'big'),
      quantity: 'mileageKm',
      factor: 0.1,
      offset: 0,
      unavailable: 0xff_ffff,
      failure: 0xff_fffe,
      feeds: ['mileage_in_kilometers'],
    },
    {
      source: can(1, 0x3c5, 0, 10, 'little'),
      quantity: 'energyPercent',
      factor: 0.1,
      offset: 0,
      unavailable: 0x3ff,
      failure: 0x3fe,
      feeds: ['fuel_level_in_percent', 'state_of_charge_or_fuel_level_in_percent'],
    },
    {
      source: can(1, 0x3c5, 23, 10, 'big'),
      quantity: 'rangeKm',
      factor: 1,
      offset: 0,
      unavailable: 0x3ff,
      failure: 0x3fe,
      feeds: ['remaining_range_in_kilometers'],
    },
    {
      source: can(1, 0x18fef100, 0, 2, 'little'),
      quantity: 'anyDoorOpen',
      factor: 1,
      offset: 0,
      failure: 2,
      unavailable: 3,
      feeds: ['doors_status'],
    },
    {
      source: can(1, 0x18fef100, 2, 2, 'little'),
      quantity: 'locked',
      factor: 1,
      offset: 0,
      failure: 2,
      unavailable: 3,
      feeds: ['central_lock'],
    },
    {
      source: can(1, 0x18fef100, 4, 2, 'little'),
      quantity: 'ignitionOn',
      factor: 1,
      offset: 0,
      failure: 2,
      unavailable: 3,
      feeds: [],
    },
    {
      source: { from: 'digital', port: 3 },
      quantity: 'drivingEnabled',
      factor: 1,
      offset: 0,
      inverted: true,
      feeds: ['driving_enabled'],
    },
  ],
  body: {
    massKg: 1_610,
    doors: 5,
    energyCapacity: 52,
    consumptionPer100Km: 15.5,
    topSpeedKph: 150,
    maximumAccelerationMps2: 3.4,
  },
};

function can(
  bus: FrameShape['bus'],
  id: number,
  startBit: number,
  bits: number,
  order: 'little' | 'big',
): Source {
  return { from: 'can', bus, id, startBit, bits, order };
}
