import type { BluetoothAction, BluetoothToken } from '../../../protocol/bluetooth.ts';

/**
 * The box's answer to a phone. `refused`: the token is invalid here. `hindered`: not now, or not in this vehicle.
 * `failed`: it was tried.
 */
export type PhoneOutcome = 'done' | 'refused' | 'hindered' | 'failed';

/** The request of a phone in radio range. `call` is its own number of this request. */
export interface PhoneRequest {
  readonly call: number;
  readonly action: BluetoothAction;
  readonly presented: CheckedToken;
  /** How long it still waits for an answer, in milliseconds: it may have asked while the box was busy with its flash. */
  readonly leftMs: number;
}

/** A token as a phone presents it, its seal checked by the security chip; undefined: no token at all. */
export type CheckedToken = { readonly token: BluetoothToken; readonly isGenuine: boolean } | undefined;
