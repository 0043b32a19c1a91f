import type { VehicleModel } from './model.ts';

/**
 * A small petrol car with the box on its diagnostic port. Speed, tank and mileage are asked for by OBD (SAE J1979
 * mode 01); doors, lock, ignition and the starter's relay are wired to digital ports.
 *
 *   digital ports   3 2 1 0
 *                   │ │ │ └ ignition (terminal 15): 1 on
 *                   │ │ └── door contacts in a row: 0 any open
 *                   │ └──── central lock motor: 1 locked
 *                   └────── starter relay: 1 interrupted
 */
export const petrolCompact: VehicleModel = {
  name: 'petrol-compact',
  brand: 'Calder',
  series: 'Compact 1.2',
  fuelType: 'PETROL',
  vehicleType: 'CAR',
  installation: 'OBD',
  transmission: 'MANUAL',
  yearOfProduction: 2021,
  vehicleCommands: [
    'request-vehicle-state',
    'enable-driving',
    'disable-driving',
    'unlock-central-lock',
    'lock-central-lock',
    'unlock-and-enable-driving',
    'lock-and-disable-driving',
  ],
  frames: [],
  rows: [
    {
      source: { from: 'obd', pid: 0x05, bytes: 1 },
      quantity: 'coolantTemperatureC',
      factor: 1,
      offset: -40,
      feeds: [],
    },
    {
      source: { from: 'obd', pid: 0x0c, bytes: 2 },
      quantity: 'engineRpm',
      factor: 0.25,
      offset: 0,
      feeds: [],
    },
    {
      source: { from: 'obd', pid: 0x0d, bytes: 1 },
      quantity: 'speedKph',
      factor: 1,
      offset: 0,
      feeds: ['speed_in_kph'],
    },
    {
      source: { from: 'obd', pid: 0x2f, bytes: 1 },
      quantity: 'energyPercent',
      factor: 100 / 255,
      offset: 0,
      feeds: ['fuel_level_in_percent', 'state_of_charge_or_fuel_level_in_percent'],
    },
    {
      source: { from: 'obd', pid: 0x42, bytes: 2 },
      quantity: 'onboardVolts',
      factor: 0.001,
      offset: 0,
      feeds: ['onboard_voltage_in_volts'],
    },
    {
      source: { from: 'obd', pid: 0xa6, bytes: 4 },
      quantity: 'mileageKm',
      factor: 0.1,
      offset: 0,
      unavailable: 0xffff_ffff,
      feeds: ['mileage_in_kilometers'],
    },
    { source: { from: 'digital', port: 0 }, quantity: 'ignitionOn', factor: 1, offset: 0, feeds: [] },
    {
      source: { from: 'digital', port: 1 },
      quantity: 'anyDoorOpen',
      factor: 1,
      offset: 0,
      inverted: true,
      feeds: ['doors_status'],
    },
    {
      source: { from: 'digital', port: 2 },
      quantity: 'locked',
      factor: 1,
      offset: 0,
      feeds: ['central_lock'],
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
    massKg: 1_050,
    doors: 5,
    energyCapacity: 42,
    consumptionPer100Km: 5.4,
    topSpeedKph: 172,
    maximumAccelerationMps2: 2.6,
  },
};
