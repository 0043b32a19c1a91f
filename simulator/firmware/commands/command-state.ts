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
  /** The former position of each part that the command moves; absent: it moves none. */
  readonly before?: readonly boolean[];
  /** A phone near the vehicle requested it. */
  readonly isAccess?: true;
}

/** A task that closes the link, and therefore waits until the reply that announces it is sent. */
export interface PendingTask {
  readonly what: 'board-reset' | 'modem-reset' | 'data-connection-reset' | 'switch-mobile-network';
  readonly sequence: number;
  /** The publication that carries the reply, once it is on its way. */
  readonly token: number | undefined;
  readonly until: number;
}

/** The actuation in which a part did not move, and which is being rolled back. */
export interface Rollback {
  /** Of the reply's text, up to 30 characters. */
  readonly cause: string;
  readonly moves: readonly Actuation[];
}

/** A vehicle that was left: ignition off and locked. Driving is disabled once each time. */
export interface UnattendedVehicle {
  readonly since: number;
  /** The relay was cut, or there was nothing to be cut. */
  readonly isDone: boolean;
  /** The relay refused: not before that time again. */
  readonly retryAt: number;
}

/**
 * A box that receives the setup command explores its vehicle: it polls its inputs once a second until it has seen
 * all required ones, or a timeout. An input that was seen once counts, so a passing bridge has no effect. Meanwhile
 * it takes no other command; the intent in flash ensures that, and a correct answer after a reset.
 */
export interface SetupProgress {
  readonly beganAt: number;
  readonly lookAt: number;
  readonly found: readonly SetupFinding[];
}

export type SetupFinding = 'vehicle' | 'position' | 'supply' | 'signal';

/** Why nothing may be moved any more, though the command was accepted. */
export type ActuationHindrance =
  | { readonly outcome: 'expired' }
  | { readonly outcome: 'conflicting-state'; readonly error: string };
