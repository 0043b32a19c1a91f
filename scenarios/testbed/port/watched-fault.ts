/** Whether a fault has struck: met something that it could change. */
export type Strike =
  /** It is being laid, and nobody knows yet. */
  | 'being-laid'
  /** As it was laid. Also one that is in force by nature, and one of which others would have to be asked. */
  | 'as-laid'
  /** Not as it was laid, but since. */
  | 'since'
  | 'not-yet';

/** When a fault struck. It can be asked at any time, also when the fault is over. */
export interface WatchedFault {
  readonly strike: Strike;
  /** It was taken back. */
  readonly isOver: boolean;
}
