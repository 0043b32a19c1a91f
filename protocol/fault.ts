/** Why bytes are not a frame, and where. `offset` counts from the start of the payload that was given. */
export interface Fault {
  readonly fault: FaultName;
  readonly offset: number;
  /** One English sentence with the values that were found. */
  readonly detail: string;
}

export type FaultName =
  | 'no-frame' // bytes between frames that begin none
  | 'truncated' // the payload ends inside a frame
  | 'wrong-header-check'
  | 'wrong-checksum'
  | 'unknown-version'
  | 'unknown-kind'
  | 'impossible-length'
  | 'impossible-value' // the checksum is right, yet a field says what it may not
  | 'too-large'; // the payload is over the bound, nothing of it was read
