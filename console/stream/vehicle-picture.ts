/** Why the service says something else than is so. */
export type DifferenceCause = 'box off' | 'sensor failed' | 'in the journal' | 'under way' | 'not sent yet';

/** One property of the vehicle state, as the three know it. Values are texts to be shown; undefined: it has none. */
export interface PropertyRow {
  readonly name: string;
  readonly truth: string | undefined;
  /** What the box believes, of the properties that it watches itself. */
  readonly box: string | undefined;
  readonly service: string | undefined;
  /** When the service was told, ISO 8601. */
  readonly toldAt: string | undefined;
  /** Absent: the service has what is so, within what the signal can say. */
  readonly cause?: DifferenceCause;
}

/** What a box is about, in a few words. */
export interface BoxSummary {
  readonly power: string;
  readonly session: string;
  readonly modem: string;
  readonly network: string;
  readonly sim: string;
  readonly firmware: string;
  readonly clockErrorMs: number | undefined;
  readonly workshopMode: boolean;
  readonly commandInProgress: string | undefined;
  readonly fault: string | undefined;
  readonly journal: {
    readonly held: number;
    readonly report: number;
    readonly event: number;
    readonly reply: number;
    readonly tombstone: number;
    readonly awaitingReceipt: number;
  };
}

/** One vehicle: what is so, what its box believes, what the service says. */
export interface VehiclePicture {
  readonly boxId: string;
  readonly vehicleId: string | null;
  readonly model: string;
  readonly licensePlate: string;
  readonly vin: string;
  readonly atMs: number;
  readonly route: string;
  readonly driving: string;
  readonly box: BoxSummary;
  /** The answer of the API beside its vehicle state: names and texts. */
  readonly record: readonly (readonly [name: string, value: string])[];
  readonly properties: readonly PropertyRow[];
  /** Why there is nothing of the service; absent: there is. */
  readonly serviceSilence?: string;
}
