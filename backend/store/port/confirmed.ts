import type {
  BoxRecordKey,
  ConfigurationOrder,
  FeatureInForce,
  VehicleConfiguration,
} from './configuration-store.ts';

/** A box's configuration in the store. A feature's status follows from it. */
export interface ConfirmedConfiguration {
  readonly revision: number;
  readonly features: Readonly<Record<string, Omit<FeatureInForce, 'status'>>>;
  /** Sequence of the configure or setup that the features follow from; 0: none. */
  readonly decided: number;
  /** Sequence of the box's last calibration report; 0: none. */
  readonly calibrated: number;
  /** The epoch whose beginning wiped the box's flash; undefined: none. */
  readonly epoch: number | undefined;
}

/**
 * The configuration after the box has done `order`, by the reply at `key`. One that a later revision has
 * replaced, or that was done before the flash was wiped, changes nothing; one before a setup only sets the
 * revision.
 */
export function afterDone(
  before: ConfirmedConfiguration,
  order: ConfigurationOrder,
  key: BoxRecordKey,
  atMs: number,
): ConfirmedConfiguration {
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
 * After the box has been set up in a vehicle, by the reply at `key`: it returned to its standards and kept its
 * revision. Later configurations stay.
 */
export function afterSetUp(before: ConfirmedConfiguration, key: BoxRecordKey): ConfirmedConfiguration {
  if (key.sequence < before.decided || isOfPastEpoch(before, key)) return before;
  return { ...before, features: {}, decided: key.sequence };
}

/** After the box has reported at `key` that it is calibrated. */
export function afterCalibrated(before: ConfirmedConfiguration, key: BoxRecordKey): ConfirmedConfiguration {
  if (key.sequence <= before.calibrated || isOfPastEpoch(before, key)) return before;
  return { ...before, calibrated: key.sequence };
}

/** After a box with a wiped flash began `epoch`: nothing is in force. */
export function afterWiped(_before: ConfirmedConfiguration, epoch: number): ConfirmedConfiguration {
  return { revision: 0, features: {}, decided: 0, calibrated: 0, epoch };
}

function isOfPastEpoch(confirmed: ConfirmedConfiguration, key: BoxRecordKey): boolean {
  return confirmed.epoch !== undefined && confirmed.epoch !== key.epoch;
}

/** What is in force. A calibration ends with the first report of its end after its beginning. */
export function inForceOf({ revision, features, calibrated }: ConfirmedConfiguration): VehicleConfiguration {
  const shown: Record<string, FeatureInForce> = {};
  for (const [name, feature] of Object.entries(features)) {
    const { calibratingSince } = feature;
    const isActive = calibratingSince === undefined || calibrated > calibratingSince;
    shown[name] = { ...feature, status: isActive ? 'ACTIVE' : 'ACTIVATING' };
  }
  return { revision, features: shown };
}
