import type { ServiceSettings } from '../../../backend/settings.ts';
import type { Store } from '../../../backend/store/port/store.ts';
import type { PartitionHistory } from '../../../judge/evidence/partition-history.ts';
import type { Counting } from './faults/active-fault.ts';

/** Peers that a backend can be cut off from. */
export type BackendPeer = 'mqtt' | 'amqp' | 'store';

/** The fate of the wake-ups that a backend gets through the store. */
export type WakeUpFault = { readonly fate: 'lost' } | { readonly fate: 'late'; readonly byMs: number };

/** The service, as faults can act on it. `which`: of several backends, counted from 1; absent: all of them. */
export interface ServiceLifecycle {
  /** How many backends there are. */
  readonly backends: number;
  start(reason: string, which?: number): Promise<void>;
  /** Like kill -9. False: it was down. */
  crash(reason: string, which?: number): boolean;
  /** Stops gracefully. False: it was down. */
  stop(reason: string, which?: number): Promise<boolean>;
  /** Pauses one until this is removed, which counts what is withheld from it; absent: there is only one. */
  pause?(which: number): Counting;
  /** Cuts one off from that peer until this is removed, which counts the failed attempts; absent: there is only one. */
  cutOff?(which: number, peer: BackendPeer): Counting;
  /**
   * Wake-ups of one, or of all, are lost or late until this is removed, which counts them; absent: there is only one.
   */
  hinderWakeUps?(which: number | undefined, fault: WakeUpFault): Counting;
}

/** The part of a service runner that evidence is read from. */
export interface ServiceView {
  /** The store with the committed data. */
  readonly store: Store;
  /** The initial queues, without those of subscriptions. */
  readonly queues: ServiceSettings['queues'];
  readonly isUp: boolean;
  /** Absent: one backend serves all boxes. */
  partitions?(): PartitionHistory | undefined;
}
