/** One line of the frame stream: a frame, or bytes that are no frame. */
export interface FrameStreamLine {
  readonly boxId: string;
  readonly direction: 'up' | 'down';
  /** ISO 8601, UTC, with milliseconds. */
  readonly at: string;
  /** Its offset in the payload. */
  readonly offset: number;
  readonly hex: string;
  readonly title: string;
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The identifying fields of a frame; absent for bytes that are no frame. */
  readonly frame?: FrameSummary;
  /** The name of the fault, for bytes that are no frame. */
  readonly fault?: string;
}

/** The identifying fields of a frame, as JSON. */
export interface FrameSummary {
  /** `report`, `receipt`, … */
  readonly kind: string;
  readonly epoch: number;
  /** 0: it is no record. */
  readonly sequence: number;
  /** By the clock of its sender, ISO 8601, UTC; absent: that clock is not set. */
  readonly clock?: string;
  /** The records that a receipt is for: up to this one, and these. */
  readonly received?: {
    readonly contiguous: number;
    readonly ranges: readonly (readonly [number, number])[];
  };
}
