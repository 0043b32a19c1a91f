import type { Actuation } from '../../vehicle/sensing/vehicle-ports.ts';

export interface AnsweredRequest {
  readonly requestId: string;
  readonly expiresMs: number;
  readonly sequence: number;
  /** The reply's frame. */
  readonly bytes: Uint8Array;
}

export interface CommandIntent {
  /** Of an access by Bluetooth: the token's ULID. */
  readonly requestId: string;
  readonly expiresMs: number;
  readonly commandCode: number;
  /** How each part stood that the command moves; absent: it moves none. */
  readonly before?: readonly boolean[];
  /** A phone beside the vehicle asked for it. */
  readonly isAccess?: true;
}

/** Something that takes the link down, and therefore waits until the reply that announces it is out. */
export interface PendingTask {
  readonly what: 'board-reset' | 'modem-reset' | 'data-connection-reset' | 'switch-mobile-network';
  readonly sequence: number;
  /** The publication that carries the reply, once it is on its way. */
  readonly token: number | undefined;
  readonly until: number;
}

/** What the box was doing when a part did not move, and puts back now. */
export interface Rollback {
  /** Of the reply's text, up to 30 characters. */
  readonly cause: string;
  readonly moves: readonly Actuation[];
}

/** A vehicle that was left: ignition off and locked. Driving is disabled once for each time that it is left. */
export interface UnattendedVehicle {
  readonly since: number;
  /** The relay was cut, or there was nothing to be cut. */
  readonly isDone: boolean;
  /** The relay refused: not before that time again. */
  readonly retryAt: number;
}

/**
 * A box that is told to begin its setup gets acquainted with its vehicle: it looks at its inputs once a second until
 * it has seen all that it needs, or its patience is over. What was seen once counts, a passing bridge does no harm.
 * Meanwhile it takes no other command; the intent in flash sees to that, and to an honest answer after a reset.
 */
export interface SetupProgress {
  readonly beganAt: number;
  readonly lookAt: number;
  readonly found: readonly SetupFinding[];
}

export type SetupFinding = 'vehicle' | 'position' | 'supply' | 'signal';

/** Why nothing may be moved any more, though the command was taken. */
export type ActuationHindrance =
  | { readonly outcome: 'expired' }
  | { readonly outcome: 'conflicting-state'; readonly error: string };
