import { translateNamed } from '../../../backend/vehicles/translation/translate.ts';
import type { RecordedFrame } from '../../../judge/evidence/evidence.ts';
import type { VehicleOperation } from '../../../simulator/vehicle/equipment/vehicle-operations.ts';
import { type RunRecordings, START_MS, type VehicleRecording } from './any-recordings.ts';
import type { PlantedFault } from './change-recordings.ts';
import { carOf } from './recorded-parts.ts';

/**
 * Every way in which a twin can be another vehicle than its own, with all books agreeing. Vehicle 1 is an estate with a
 * selector, vehicle 2 a petrol car at the diagnostic port.
 */
export const TRUTH_FAULTS: readonly PlantedFault[] = [
  physics('a speed is left standing', 1, 'speed_in_kph', ({ speedKph }) => ({
    speedKph: Number(speedKph) + 46,
  })),
  physics('a gear is wrong', 0, 'gearshift_position', () => ({ gear: 'DRIVE' })),
  physics('the odometer is short', 1, 'mileage_in_kilometers', ({ mileageKm }) => ({
    mileageKm: Number(mileageKm) + 0.17,
  })),
  physics('a door is open', 0, 'doors_status', ({ anyDoorOpen }) => ({ anyDoorOpen: anyDoorOpen !== true })),
  physics('a lock is open', 1, 'central_lock', ({ locked }) => ({ locked: locked !== true })),
  physics('miles are taken for kilometres', 0, 'remaining_range_in_kilometers', ({ rangeKm }) => ({
    rangeKm: Number(rangeKm) / 1.609344,
  })),
  physics('the vehicle is elsewhere', 1, 'position', ({ latitude }) => ({
    latitude: Number(latitude) + 0.001,
  })),
  physics('the volts are those of the generator', 1, 'onboard_voltage_in_volts', ({ onboardVolts }) => ({
    onboardVolts: Number(onboardVolts) + 1.4,
  })),
  {
    name: 'a property is of tomorrow',
    checker: 'twin-is-true',
    also: ['twin-is-fold'],
    plant({ vehicles }) {
      const { twin, vehicle } = vehicles[1] as VehicleRecording;
      const said = twin['mileage_in_kilometers'];
      if (said !== undefined) twin['mileage_in_kilometers'] = { ...said, timestamp: '2026-01-06T06:00:00Z' };
      return ['mileage_in_kilometers', vehicle.vehicleId];
    },
  },
  {
    name: 'a charging that has ended is still told',
    checker: 'twin-is-true',
    also: ['twin-is-fold'],
    plant({ vehicles }) {
      const told = vehicles[2];
      if (told === undefined) return [];
      told.truth = { ...told.truth, atMs: START_MS, chargingMinutesLeft: 'unavailable', sensors: {} };
      told.twin['charging_until'] = { timestamp: '2026-01-05T05:59:00Z', value: '2026-01-05T06:30:00Z' };
      return ['a property that has ended', 'charging_until', told.vehicle.vehicleId];
    },
  },
  told('a property is absent', 'windows_status', {
    kind: 'sensor',
    quantity: 'windowsOpen',
    state: 'unavailable',
  }),
  told('a sensor failure without one', 'state_of_charge_or_fuel_level_low_indicator', {
    kind: 'sensor',
    quantity: 'energyLow',
    state: 'failed',
  }),
];

type Truth = Readonly<Record<string, unknown>>;

/** The vehicle differs from all recordings. */
function physics(
  name: string,
  index: number,
  property: string,
  other: (truth: Truth) => Truth,
): PlantedFault {
  return {
    name,
    checker: 'twin-is-true',
    plant(history) {
      const told = history.vehicles[index] as VehicleRecording;
      told.truth = { ...told.truth, ...other(told.truth) };
      return [property, told.vehicle.vehicleId];
    },
  };
}

/** All recordings show the vehicle after an action that did not happen. */
function told(words: string, property: string, deed: VehicleOperation): PlantedFault {
  return {
    name: words,
    checker: 'twin-is-true',
    plant(history: RunRecordings) {
      const one = history.vehicles[0] as VehicleRecording;
      const { vehicle } = one;
      const car = carOf(vehicle, START_MS);
      const truth = { ...one.truth };
      car.operate(deed);
      const { signalsAwake } = car.sensors();
      car.operate({ ...deed, state: 'works' } as VehicleOperation);
      one.truth = truth;
      one.frames = one.frames.map((frame): RecordedFrame => {
        const { message } = frame;
        if (message.kind !== 'report') return frame;
        const signals = { ...signalsAwake, modem: message.signals.modem ?? { csq: 99, network: 0 } };
        const state = translateNamed(vehicle.model, signals, {
          timestampMs: frame.clockMs,
          maintenance: false,
        });
        for (const name of Object.keys(one.twin)) if (state[name] === undefined) delete one.twin[name];
        for (const [name, said] of Object.entries(state))
          one.twin[name] = { timestamp: one.twin[name]?.timestamp ?? '', value: said?.value };
        return { ...frame, message: { ...message, signals } };
      });
      return [words, property, vehicle.vehicleId];
    },
  };
}
