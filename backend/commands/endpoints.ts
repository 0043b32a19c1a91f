import { COMMANDS, type CommandName } from '../../protocol/commands.ts';
import type { GuardName } from './guards.ts';

/** What a success carries. */
export type AnswerKind = 'nothing' | 'system-status' | 'vehicle-state';

/** One command as an endpoint: which guards it declares, and what it answers. */
export interface CommandEndpoint {
  readonly command: (typeof COMMANDS)[number];
  /** In OpenAPI's form: `/vehicles/{id}/box-commands/ble-reset`. */
  readonly path: string;
  readonly summary: string;
  readonly guards: readonly GuardName[];
  readonly answer: AnswerKind;
}

interface EndpointRow {
  readonly summary: string;
  readonly guards: readonly GuardName[];
  readonly answer: AnswerKind;
}

const STATUS: readonly GuardName[] = ['setup-status', 'command-not-supported', 'not-ready', 'connection'];
const RESET: readonly GuardName[] = [...STATUS, 'shared-partner-only'];
const WORKSHOP: readonly GuardName[] = [
  'command-not-supported',
  'incompatible-firmware',
  'not-ready',
  'connection',
];
const VEHICLE = STATUS;
const VEHICLE_AT_REST: readonly GuardName[] = [...VEHICLE, 'conflicting-state'];

const reset = (summary: string): EndpointRow => ({ summary, guards: RESET, answer: 'nothing' });
const workshop = (summary: string): EndpointRow => ({ summary, guards: WORKSHOP, answer: 'nothing' });
const vehicle = (summary: string): EndpointRow => ({ summary, guards: VEHICLE, answer: 'vehicle-state' });
const atRest = (summary: string): EndpointRow => ({
  summary,
  guards: VEHICLE_AT_REST,
  answer: 'vehicle-state',
});

/** Commands that only the backend itself sends have no endpoint. */
type OfferedName = Exclude<CommandName, 'begin-setup'>;

const ROWS: Readonly<Record<OfferedName, EndpointRow>> = {
  'request-system-status': {
    summary: 'Asks the telematics unit for its system status.',
    guards: STATUS,
    answer: 'system-status',
  },
  'ble-reset': reset('Resets the BLE module.'),
  'board-reset': reset('Resets the telematics unit.'),
  'modem-reset': reset('Resets the modem.'),
  'data-connection-reset': reset('Resets the data connection.'),
  'switch-mobile-network': reset('Switches the mobile network of the telematics unit.'),
  'activate-workshop-mode': workshop('Ends the communication over the OBD interface.'),
  'deactivate-workshop-mode': workshop('Resumes the communication over the OBD interface.'),
  'request-vehicle-state': vehicle('Asks the vehicle for its state.'),
  'enable-driving': vehicle('Allows the engine to be started.'),
  'disable-driving': atRest('Prevents the engine from being started.'),
  'unlock-central-lock': atRest('Unlocks the central lock.'),
  'lock-central-lock': atRest('Locks the central lock.'),
  'unlock-and-enable-driving': atRest('Unlocks the central lock and enables driving.'),
  'lock-and-disable-driving': atRest('Locks the central lock and disables driving.'),
  'unlock-top-case': atRest('Unlocks the top case.'),
  'lock-top-case': atRest('Locks the top case.'),
  'draw-attention': vehicle('Signals with the lights and the horn of the vehicle.'),
  'unlock-battery-compartment': atRest('Unlocks the battery compartment.'),
};

/** Every command endpoint, in the order of the wire's table. */
export const COMMAND_ENDPOINTS: readonly CommandEndpoint[] = COMMANDS.flatMap((command) =>
  command.family === 'setup'
    ? []
    : [
        {
          command,
          path: `/vehicles/{id}/${command.family === 'box' ? 'box-commands' : 'commands'}/${command.name}`,
          ...ROWS[command.name],
        },
      ],
);
