import type { FoundColumn } from './column-names.ts';

/** The content of a file for one moment. Missing values are absent. */
export interface DriveSample {
  /** Milliseconds since 1970, or since any other moment: only differences count. */
  readonly atMs?: number;
  readonly latitude?: number;
  readonly longitude?: number;
  readonly altitudeM?: number;
  readonly speedMps?: number;
  readonly rpm?: number;
  /** Of the tank, or of the traction battery of a vehicle without a tank. */
  readonly energyPercent?: number;
  readonly mileageKm?: number;
  readonly ignitionOn?: boolean;
}

/** The samples of a file in its order, and the name of a sample's place in the file. */
export interface DriveSamples {
  readonly samples: readonly DriveSample[];
  placeOf(index: number): string;
  /** The file's word for a sample. */
  readonly noun: 'point' | 'row';
  /** The columns of the samples. */
  readonly columns: readonly FoundColumn[];
}
