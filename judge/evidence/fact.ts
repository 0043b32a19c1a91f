import type { CheckerName } from '../checkers.ts';
import type { Finding } from '../verdict.ts';

/** A vehicle of the run, by its place in the fleet, from 1. */
export type VehicleNumber = number;

/**
 * One thing that happened in a run. Facts are in the order in which they happened. Reports and timelines are
 * made from facts alone, which are the same in both worlds.
 */
export type Fact = { readonly atMs: number } & FactKind;

export type FactKind =
  /** The state of the session, as the box knows it. */
  | {
      readonly kind: 'connectivity';
      readonly vehicle: VehicleNumber;
      readonly state: 'off' | 'offline' | 'connecting' | 'connected' | 'ready';
    }
  /** The number of records in the box's journal, when it changed. */
  | { readonly kind: 'journal'; readonly vehicle: VehicleNumber; readonly held: number }
  /** `vehicles` is empty for a fault of the service or a broker. */
  | {
      readonly kind: 'fault';
      readonly name: string;
      readonly detail: string;
      readonly vehicles: readonly VehicleNumber[];
      readonly phase: 'begins' | 'ends' | 'happens';
    }
  /** `refusal`: why the act was not possible. */
  | {
      readonly kind: 'act';
      readonly vehicle: VehicleNumber;
      readonly name: string;
      readonly refusal?: string;
    }
  | {
      readonly kind: 'call';
      readonly call: number;
      readonly vehicle?: VehicleNumber;
      readonly what: string;
      readonly as: string;
    }
  | {
      readonly kind: 'answer';
      readonly call: number;
      readonly vehicle?: VehicleNumber;
      /** 0: no answer came, because the service went down. */
      readonly status: number;
      readonly problem?: string;
      readonly detail?: string;
      readonly tookMs: number;
    }
  /** A message was put into a queue. */
  | {
      readonly kind: 'message';
      readonly vehicle?: VehicleNumber;
      readonly vehicleId: string;
      readonly name: string;
      readonly queue: string;
      readonly messageId: string;
    }
  | { readonly kind: 'service'; readonly state: 'up' | 'down'; readonly reason: string }
  | { readonly kind: 'step'; readonly step: number; readonly phase: 'begins' | 'ends' }
  | {
      readonly kind: 'expectation';
      readonly step: number;
      readonly expectation: number;
      readonly vehicle?: VehicleNumber;
      readonly isMet: boolean;
      readonly text: string;
    }
  | { readonly kind: 'finding'; readonly finding: CheckerFinding };

/** A finding with its checker. */
export interface CheckerFinding extends Finding {
  readonly checker: CheckerName;
}
