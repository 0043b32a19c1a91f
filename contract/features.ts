import type { FeatureGuard } from './guards.ts';

interface FeatureRow {
  /** Completes 'Configures ...'. */
  readonly about: string;
  /** The guards of a feature that not every box can have. */
  readonly guards: readonly FeatureGuard[];
}

/** The configurable parts of a telematics unit, by the name in the path: features, and the box's own settings. */
export const FEATURES = {
  tracking: { about: 'when a moving vehicle reports: after a time, a distance, or a turn', guards: [] },
  'damage-detection': {
    about: 'the detection of damage to the vehicle, for which the box is calibrated first',
    guards: ['incompatible-unit'],
  },
  'smoke-detection': {
    about: 'the detection of smoke in the vehicle, in boxes that have the sensor',
    guards: ['incompatible-unit'],
  },
  'driving-events': {
    about: 'the accelerations from which a crash, heavy braking and harsh cornering are reported',
    guards: [],
  },
  'parking-events': {
    about: 'whether towing of a parked vehicle and impacts on it are reported',
    guards: [],
  },
  'auto-immobilizer-control': {
    about: 'how long after ignition off and locking the box disables driving by itself',
    guards: [],
  },
  'box-settings': {
    about: 'the box itself: its reports at rest, Bluetooth, the alarm on being unplugged',
    guards: ['incompatible-installation'],
  },
} as const satisfies Readonly<Record<string, FeatureRow>>;

export type FeatureName = keyof typeof FEATURES;
