/** Why bytes are not a frame. `offset` counts from the start of the payload. */
export interface FrameFault {
  readonly fault: FrameFaultName;
  readonly offset: number;
  /** One English sentence with the values that were found. */
  readonly detail: string;
}

export type FrameFaultName =
  | 'no-frame' // bytes that are not the start of a frame
  | 'truncated' // the payload ends inside a frame
  | 'wrong-header-check'
  | 'wrong-checksum'
  | 'unknown-version'
  | 'unknown-kind'
  | 'impossible-length'
  | 'impossible-value' // the checksum is valid, but a field has an invalid value
  | 'too-large'; // the payload, or the rest of it, is over a limit and was not read
