import type {
  BoxRecordKey,
  ConfigurationOrder,
  FeatureInForce,
  VehicleConfiguration,
} from './configuration-store.ts';

/** What a store keeps of a box's configuration. A feature's status follows from the rest. */
export interface Confirmed {
  readonly revision: number;
  readonly features: Readonly<Record<string, Omit<FeatureInForce, 'status'>>>;
  /** Sequence of the configure or setup that the features follow from; 0: none. */
  readonly decided: number;
  /** Sequence of the box's last word that it is calibrated; 0: none. */
  readonly calibrated: number;
  /** The epoch whose beginning wiped the box's flash; undefined: none. */
  readonly epoch: number | undefined;
}

/**
 * The configuration after the box has done `order`, by the reply at `key`. One that a later revision has overtaken, or
 * that was done before the flash was wiped, changes nothing; one before a setup only tells which revision the box has.
 */
export function afterDone(
  before: Confirmed,
  order: ConfigurationOrder,
  key: BoxRecordKey,
  atMs: number,
): Confirmed {
  if (order.revision <= before.revision || isOfPastEpoch(before, key)) return before;
  if (key.sequence < before.decided) return { ...before, revision: order.revision };
  const features: Record<string, Omit<FeatureInForce, 'status'>> = {};
  for (const [name, { status: _, ...kept }] of Object.entries(order.kept)) features[name] = kept;
  for (const [name, parameters] of Object.entries(order.features)) {
    if (parameters === null) continue;
    const calibrates = order.calibrates.includes(name) ? { calibratingSince: key.sequence } : {};
    features[name] = { revision: order.revision, parameters, modifiedMs: atMs, ...calibrates };
  }
  return { ...before, revision: order.revision, features, decided: key.sequence };
}

/**
 * After the box has been set up in a vehicle, by the reply at `key`: it went back to its standards then, and kept its
 * revision. What it has been configured to since stays.
 */
export function afterSetUp(before: Confirmed, key: BoxRecordKey): Confirmed {
  if (key.sequence < before.decided || isOfPastEpoch(before, key)) return before;
  return { ...before, features: {}, decided: key.sequence };
}

/** After the box has told at `key` that it is calibrated. */
export function afterCalibrated(before: Confirmed, key: BoxRecordKey): Confirmed {
  if (key.sequence <= before.calibrated || isOfPastEpoch(before, key)) return before;
  return { ...before, calibrated: key.sequence };
}

/** After a box whose flash was wiped began `epoch`: nothing is in force there. */
export function afterWiped(_before: Confirmed, epoch: number): Confirmed {
  return { revision: 0, features: {}, decided: 0, calibrated: 0, epoch };
}

function isOfPastEpoch(confirmed: Confirmed, key: BoxRecordKey): boolean {
  return confirmed.epoch !== undefined && confirmed.epoch !== key.epoch;
}

/** What is in force. A calibration ends with the first word of its end that stands behind its beginning. */
export function inForceOf({ revision, features, calibrated }: Confirmed): VehicleConfiguration {
  const shown: Record<string, FeatureInForce> = {};
  for (const [name, feature] of Object.entries(features)) {
    const { calibratingSince } = feature;
    const isActive = calibratingSince === undefined || calibrated > calibratingSince;
    shown[name] = { ...feature, status: isActive ? 'ACTIVE' : 'ACTIVATING' };
  }
  return { revision, features: shown };
}
