import { type FirmwareVersion, firmwareWith } from './firmware.ts';

/**
 * The commands of a box. One row per command: the name in the API, its code on the wire, its requirements.
 */
export interface CommandRow {
  /** As in the HTTP path. The capability is the same in UPPER_SNAKE_CASE. */
  readonly name: string;
  /** One byte on the wire. Never reused. */
  readonly code: number;
  /** `setup`: sent by the backend only, without an endpoint. */
  readonly family: 'box' | 'vehicle' | 'setup';
  /** The first firmware that understands it; absent: every firmware. */
  readonly minimumFirmware?: FirmwareVersion;
  /** The box answers first and then disconnects: it accepts no command before it is ready again. */
  readonly endsSession?: true;
}

const WORKSHOP = firmwareWith('workshop-mode');

export const COMMANDS = [
  { name: 'request-system-status', code: 0x01, family: 'box' },
  { name: 'ble-reset', code: 0x02, family: 'box' },
  { name: 'board-reset', code: 0x03, family: 'box', endsSession: true },
  { name: 'modem-reset', code: 0x04, family: 'box', endsSession: true },
  { name: 'data-connection-reset', code: 0x05, family: 'box', endsSession: true },
  { name: 'switch-mobile-network', code: 0x06, family: 'box', endsSession: true },
  { name: 'activate-workshop-mode', code: 0x07, family: 'box', minimumFirmware: WORKSHOP },
  { name: 'deactivate-workshop-mode', code: 0x08, family: 'box', minimumFirmware: WORKSHOP },
  /** The box examines its vehicle and answers when it has finished, or with the reason why it cannot. */
  { name: 'begin-setup', code: 0x10, family: 'setup' },
  { name: 'request-vehicle-state', code: 0x20, family: 'vehicle' },
  { name: 'enable-driving', code: 0x21, family: 'vehicle' },
  { name: 'disable-driving', code: 0x22, family: 'vehicle' },
  { name: 'unlock-central-lock', code: 0x23, family: 'vehicle' },
  { name: 'lock-central-lock', code: 0x24, family: 'vehicle' },
  { name: 'unlock-and-enable-driving', code: 0x25, family: 'vehicle' },
  { name: 'lock-and-disable-driving', code: 0x26, family: 'vehicle' },
  { name: 'unlock-top-case', code: 0x27, family: 'vehicle' },
  { name: 'lock-top-case', code: 0x28, family: 'vehicle' },
  { name: 'draw-attention', code: 0x29, family: 'vehicle' },
  { name: 'unlock-battery-compartment', code: 0x2a, family: 'vehicle' },
] as const satisfies readonly CommandRow[];

export type CommandName = (typeof COMMANDS)[number]['name'];
/** The commands that a vehicle carries out, with a box or with its maker's telematics. */
export type VehicleCommandName = Extract<(typeof COMMANDS)[number], { readonly family: 'vehicle' }>['name'];

const endingSession: ReadonlySet<string> = new Set(
  COMMANDS.filter((row) => 'endsSession' in row).map(({ name }) => name),
);

/** Whether a box disconnects after this command. */
export function endsSession(command: string): boolean {
  return endingSession.has(command);
}

/** How a box answers a command or a configuration. The code is the byte on the wire. */
export const REPLY_OUTCOMES = [
  { name: 'done', code: 0 },
  /** Its expiry had passed, or the box does not know the time: it did nothing. */
  { name: 'expired', code: 1 },
  /** This firmware or this vehicle has no such command. */
  { name: 'unsupported', code: 2 },
  /** The state of the vehicle does not allow it (it moves). */
  { name: 'conflicting-state', code: 3 },
  { name: 'not-ready', code: 4 },
  /** The box tried and failed; see the reply's error text. */
  { name: 'failed', code: 5 },
] as const;

export type ReplyOutcome = (typeof REPLY_OUTCOMES)[number]['name'];
