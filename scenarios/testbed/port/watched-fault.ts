/** Whether a fault has had an effect on anything. */
export type EffectTime =
  /** It is being applied; unknown as yet. */
  | 'applying'
  /** An immediate effect. Also one with an inherent effect, or whose effect other parts would have to report. */
  | 'immediate'
  /** No immediate effect, but a later one. */
  | 'since'
  | 'not-yet';

/** When a fault had an effect. It can be queried at any time, also when the fault is over. */
export interface WatchedFault {
  readonly effect: EffectTime;
  /** It was removed. */
  readonly isOver: boolean;
}
