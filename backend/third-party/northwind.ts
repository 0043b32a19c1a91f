import { z } from 'zod';
import { CAR_COMMANDS } from '../../protocol/models/command-sets.ts';
import type { Maker, MakerApi, MakerReadResult, MakerState } from './maker.ts';

/** The international mile and foot, exactly. */
const KM_PER_MILE = 1.609344;
const M_PER_FOOT = 0.3048;

const state = z.object({
  carId: z.string().min(1).max(64),
  takenAt: z.iso.datetime({ offset: true }),
  reading: z.record(z.string(), z.unknown()),
});
const actionAnswer = z.object({ state });
const notification = z.object({ event: z.literal('STATE'), state });
const failure = z.object({ fault: z.object({ code: z.string().max(64), text: z.string().max(1_000) }) });

const api: MakerApi = {
  keyHeader: 'x-api-key',
  signatureHeader: 'x-northwind-signature',
  statePath: (vehicleId) => `/cars/${encodeURIComponent(vehicleId)}/state`,
  action: (vehicleId, makerCommand) => ({
    path: `/cars/${encodeURIComponent(vehicleId)}/actions`,
    body: { action: makerCommand },
  }),
  subscription: (url, secret) => ({ path: '/subscription', body: { url, secret } }),
  readState: (body) => readWith(state, body, (value) => value),
  readActionAnswer: (body) => readWith(actionAnswer, body, (value) => value.state),
  readNotification: (body) => readWith(notification, body, (value) => value.state),
  readError: (body) => failure.safeParse(body).data?.fault,
};

/** The maker Northwind: miles, feet, Fahrenheit, fractions, and its own words. */
export const northwind: Maker = {
  name: 'northwind',
  models: {
    'electric-estate': {
      lacksCommands: ['unlock-top-case', 'lock-top-case', 'unlock-battery-compartment'],
      lacksProperties: ['top_case_lid', 'top_case_lock'],
    },
    // It cannot be asked for its state, and its starter cannot be controlled remotely.
    'electric-scooter': {
      lacksCommands: CAR_COMMANDS,
      lacksProperties: ['doors_status', 'central_lock'],
    },
  },
  commands: {
    'request-vehicle-state': 'REFRESH',
    'enable-driving': 'STARTER_PERMIT',
    'disable-driving': 'STARTER_INHIBIT',
    'unlock-central-lock': 'DOORS_RELEASE',
    'lock-central-lock': 'DOORS_SECURE',
    'unlock-and-enable-driving': 'HAND_OVER',
    'lock-and-disable-driving': 'TAKE_BACK',
    'unlock-top-case': 'BIN_RELEASE',
    'lock-top-case': 'BIN_SECURE',
    'draw-attention': 'LIGHTS_AND_HORN',
    'unlock-battery-compartment': 'SEAT_RELEASE',
  },
  meanings: { CAR_UNKNOWN: 'unknown-vehicle', CAR_IN_MOTION: 'moving', CAR_ASLEEP: 'out-of-reach' },
  rows: [
    { read: 'number', property: 'mileage_in_kilometers', from: 'odometerMi', factor: KM_PER_MILE },
    { read: 'number', property: 'speed_in_kph', from: 'speedMph', factor: KM_PER_MILE },
    { read: 'number', property: 'fuel_level_in_percent', from: 'packFraction', factor: 100 },
    {
      read: 'number',
      property: 'state_of_charge_or_fuel_level_in_percent',
      from: 'packFraction',
      factor: 100,
    },
    { read: 'number', property: 'remaining_range_in_kilometers', from: 'reachMi', factor: KM_PER_MILE },
    { read: 'number', property: 'altitude_in_meters', from: 'place.heightFt', factor: M_PER_FOOT },
    { read: 'number', property: 'heading_in_degrees', from: 'place.course', factor: 1 },
    {
      read: 'position',
      property: 'position',
      latitude: 'place.latMicro',
      longitude: 'place.lonMicro',
      factor: 1e-6,
    },
    { read: 'word', property: 'doors_status', from: 'doors', words: { SHUT: 'CLOSED', AJAR: 'OPEN' } },
    {
      read: 'word',
      property: 'central_lock',
      from: 'lock',
      words: { SECURED: 'LOCKED', RELEASED: 'UNLOCKED' },
    },
    { read: 'word', property: 'top_case_lid', from: 'bin.lid', words: { SHUT: 'CLOSED', AJAR: 'OPEN' } },
    {
      read: 'word',
      property: 'top_case_lock',
      from: 'bin.bolt',
      words: { SECURED: 'LOCKED', RELEASED: 'UNLOCKED' },
    },
    { read: 'word', property: 'ignition', from: 'key', words: { TURNED: 'ON', PULLED: 'OFF' } },
    {
      read: 'word',
      property: 'driving_enabled',
      from: 'starter',
      words: { PERMITTED: true, INHIBITED: false },
    },
    {
      read: 'word',
      property: 'charging_status',
      from: 'charger',
      words: { DRAWING: 'CHARGING', IDLE: 'NOT_CHARGING' },
    },
    {
      read: 'drive-battery',
      property: 'drive_batteries',
      serial: 'pack.serial',
      parts: {
        level_in_percent: { from: 'packFraction', factor: 100, decimals: 1 },
        charge_cycles: { from: 'pack.cycles', factor: 1, decimals: 0 },
        average_temperature_in_degrees_celsius: {
          from: 'pack.tempF',
          factor: 5 / 9,
          offset: -160 / 9,
          decimals: 1,
        },
        voltage_in_volts: { from: 'pack.volts', factor: 1, decimals: 1 },
      },
    },
  ],
  api,
};

type StateBody = z.infer<typeof state>;

function readWith<Body>(
  schema: z.ZodType<Body>,
  body: unknown,
  stateOf: (value: Body) => StateBody,
): MakerReadResult<MakerState> {
  const parsed = schema.safeParse(body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return {
      ok: false,
      fault: `${issue?.path.join('.') || 'the body'}: ${issue?.message ?? 'has an unexpected form'}`,
    };
  }
  const { carId, takenAt, reading } = stateOf(parsed.data);
  return { ok: true, value: { vehicleId: carId, takenMs: Date.parse(takenAt), reading } };
}
