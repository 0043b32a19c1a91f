/**
 * Feature configurations as the boxes have confirmed them. They stand with the box, which keeps them until it is set up
 * in another vehicle: then it goes back to its standards, and nothing is in force. They are written in the commit of the box's reply (`OpenCommand.configuration`), so that an answer that
 * comes late counts as well.
 */
export interface ConfigurationStore {
  /**
   * What is in force, and a revision above every one that was ever handed out for this box, now handed out. It is at
   * least the seconds from 2020 to `atMs`, so that a store that was lost does not fall behind what a box has.
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
  /** Of the request that put it, and that the box confirmed. */
  readonly revision: number;
  /** ACTIVATING: the box calibrates, and will say when it has done so. */
  readonly status: 'ACTIVE' | 'ACTIVATING';
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly modifiedMs: number;
  /** Sequence of the reply with which its calibration began; absent: it needs none. */
  readonly calibratingSince?: number;
}

/** A configuration request: the box has `features` and `kept` once it has done it, and nothing else. */
export interface ConfigurationOrder {
  readonly revision: number;
  /** The revision in force upon which it was decided: it is not opened upon any other. */
  readonly basedOn: number;
  /** What it changes, by feature name in kebab-case: parameters by their names in the API; null: inactive. */
  readonly features: Readonly<Record<string, Readonly<Record<string, unknown>> | null>>;
  /** Names among `features` that the box calibrates first. */
  readonly calibrates: readonly string[];
  /** What was in force by then and stays as it is. */
  readonly kept: Readonly<Record<string, FeatureInForce>>;
  /** The bulk job that this is an attempt of. Absent: it overtakes what jobs have pending for these features. */
  readonly bulkJobId?: string;
}

/** Where a record of the box stands in its journal. */
export interface BoxRecordKey {
  readonly epoch: number;
  readonly sequence: number;
}

/** A box has told that it is calibrated. */
export interface Calibration {
  readonly boxId: string;
  readonly key: BoxRecordKey;
}

/** A box has begun a journal of that epoch with a wiped flash: its configuration is gone as well. */
export interface Wiped {
  readonly boxId: string;
  readonly epoch: number;
}
