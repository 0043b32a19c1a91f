/** Why the value of a property in the service differs from the truth. */
export type DifferenceCause =
  /** The sensor fails: the box cannot know the value. */
  | 'sensor failed'
  /** A record in the box has another value than the service, and was not sent. */
  | 'in a stored record'
  /** The same, and the record was sent: its receipt has not come. */
  | 'in flight'
  /** No record has the present value, and the box has no power to create one. */
  | 'box off'
  /** No record has the present value: it changed after the last one. */
  | 'changed since the last report';

/** Why the service has no value of a property. That is no difference. */
export type AbsenceReason = 'never reported' | 'not booked';

/** One property of the vehicle state, as the three know it. Values are texts to be shown; undefined: it has none. */
export interface PropertyRow {
  readonly name: string;
  readonly truth: string | undefined;
  /** The belief of the box, of the properties that it watches itself. */
  readonly box: string | undefined;
  readonly service: string | undefined;
  /** The time of the value in the service, ISO 8601. */
  readonly toldAt: string | undefined;
  /** Absent: the service has the truth, within the signal's resolution, or has no value. */
  readonly cause?: DifferenceCause;
  readonly absence?: AbsenceReason;
}

/** The status of a box, in a few words. */
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

/** One vehicle: the truth, the belief of its box, the state in the service. */
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
  /** The answer of the API in addition to its vehicle state: names and texts. */
  readonly record: readonly (readonly [name: string, value: string])[];
  readonly properties: readonly PropertyRow[];
  /** Why there is no data of the service; absent: there is. */
  readonly serviceSilence?: string;
}
