import type { RouteFault } from '../routes/points.ts';

/** What a file says of one moment. Whatever it does not say is absent. */
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

/** The samples of a file in its order, and what the file calls the place of one of them. */
export interface DriveSamples {
  readonly samples: readonly DriveSample[];
  placeOf(index: number): string;
}

/** What was bridged: the first place, the reason, and how many other places have it too. */
export interface DriveRemark extends RouteFault {
  readonly others: number;
}

/** Collects remarks: one of each kind, with the first place. */
export class Remarks {
  readonly #byKind = new Map<string, { place: string; reason: string; others: number }>();

  /** `kind`: what counts as the same; `place` and `reason` are asked for only the first time. */
  add(kind: string, place: () => string, reason: () => string): void {
    const known = this.#byKind.get(kind);
    if (known !== undefined) known.others += 1;
    else this.#byKind.set(kind, { place: place(), reason: reason(), others: 0 });
  }

  list(): readonly DriveRemark[] {
    return [...this.#byKind.values()];
  }
}
