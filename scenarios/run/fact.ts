import type { CheckerName } from '../language/checkers.ts';

/** A vehicle of the run, by its place in the fleet, from 1. */
export type VehicleNumber = number;

/**
 * What happened in a run, one thing at a time, in the order in which it happened. Reports, checkers and the timeline
 * around a failure are made of facts alone, and in both worlds they are the same.
 */
export type Fact = { readonly atMs: number } & FactKind;

export type FactKind =
  /** What the box believes of its session. */
  | {
      readonly kind: 'connectivity';
      readonly vehicle: VehicleNumber;
      readonly state: 'off' | 'offline' | 'connecting' | 'connected' | 'ready';
    }
  /** Records in the journal of the box, whenever that changed. */
  | { readonly kind: 'journal'; readonly vehicle: VehicleNumber; readonly held: number }
  /** `vehicles` is empty where it met the service or a broker. */
  | {
      readonly kind: 'fault';
      readonly name: string;
      readonly detail: string;
      readonly vehicles: readonly VehicleNumber[];
      readonly phase: 'begins' | 'ends' | 'happens';
    }
  /** `refusal`: why the vehicle could not do it. */
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
      /** 0: no answer came, because the service went away. */
      readonly status: number;
      readonly problem?: string;
      readonly detail?: string;
      readonly tookMs: number;
    }
  /** A message lies in a queue. */
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
  | { readonly kind: 'finding'; readonly finding: Finding };

/** What a checker has found wrong. */
export interface Finding {
  readonly checker: CheckerName;
  readonly vehicle?: VehicleNumber;
  readonly atMs?: number;
  /** One sentence: what, of which vehicle, record or message, and at which hop. */
  readonly text: string;
}
