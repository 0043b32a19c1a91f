/**
 * Feature configurations as the boxes have confirmed them. They belong to the box, which keeps them until it
 * is set up in another vehicle: then it returns to its standards, and nothing is in force. They are written
 * in the commit of the box's reply (`OpenCommand.configuration`), so that a late answer counts as well.
 */
export interface ConfigurationStore {
  /**
   * What is in force, and a new revision above every one that was ever assigned for this box. It is at least
   * the seconds from 2020 to `atMs`, so that after a loss of the store it is still above what a box has.
   */
  begin(
    boxId: string,
    atMs: number,
  ): Promise<{ readonly revision: number; readonly inForce: VehicleConfiguration }>;
  read(boxId: string): Promise<VehicleConfiguration>;
}

export interface VehicleConfiguration {
  /** The highest that the box has confirmed; 0: none. */
  readonly revision: number;
  /** By feature name in kebab-case; a feature that is not here is inactive. */
  readonly features: Readonly<Record<string, FeatureInForce>>;
}

export interface FeatureInForce {
  /** The revision of the request that the box confirmed. */
  readonly revision: number;
  /** ACTIVATING: the box calibrates, and reports when it has finished. */
  readonly status: 'ACTIVE' | 'ACTIVATING';
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly modifiedMs: number;
  /** Sequence of the reply with which its calibration began; absent: it needs none. */
  readonly calibratingSince?: number;
}

/** A configuration request: once done, the box has `features` and `kept`, and nothing else. */
export interface ConfigurationOrder {
  readonly revision: number;
  /** The revision in force that it is based on: it is not opened on any other. */
  readonly basedOn: number;
  /** What it changes, by feature name in kebab-case: parameters by their names in the API; null: inactive. */
  readonly features: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;
  /** Names among `features` that the box calibrates first. */
  readonly calibrates: readonly string[];
  /** What was in force before and does not change. */
  readonly kept: Readonly<Record<string, FeatureInForce>>;
  /**
   * The bulk job that this is an attempt of. Absent: it replaces what jobs have pending for these features.
   */
  readonly bulkJobId?: string;
}

/** The place of a record in the box's journal. */
export interface BoxRecordKey {
  readonly epoch: number;
  readonly sequence: number;
}

/** A box has reported that it is calibrated. */
export interface CalibrationReport {
  readonly boxId: string;
  readonly key: BoxRecordKey;
}

/**
 * A box has begun a journal of that epoch with a wiped flash, and its configuration is lost too; or it continues that
 * epoch after a foreign one, and its configuration is unknown.
 */
export interface FlashWipe {
  readonly boxId: string;
  readonly epoch: number;
}
