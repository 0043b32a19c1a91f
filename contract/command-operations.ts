import { COMMANDS } from '../protocol/commands.ts';
import { type GuardName, inOrder, problemOfGuard } from './guards.ts';
import type { Operation } from './operation.ts';
import { permitted } from './permissions.ts';
import { CONNECTIVITY_COMMANDS, type ConnectivityCommandName } from './sim-providers.ts';

/** The answer of a command on success. */
export type CommandAnswerKind = 'nothing' | 'system-status' | 'vehicle-state';

/** A command that a box, or a maker's cloud, carries out. */
export interface CommandOperation extends Operation {
  readonly command: (typeof COMMANDS)[number];
  readonly answer: CommandAnswerKind;
}

interface CommandRow {
  readonly summary: string;
  /** In the order in which the OpenAPI document names their problems. */
  readonly guards: readonly GuardName[];
  readonly answer: CommandAnswerKind;
}

const STATUS: readonly GuardName[] = ['setup-status', 'command-not-supported', 'not-ready', 'connection'];
const RESET: readonly GuardName[] = [...STATUS, 'shared-partner-only'];
const WORKSHOP: readonly GuardName[] = [
  'command-not-supported',
  'incompatible-firmware',
  'not-ready',
  'connection',
];
const AT_REST: readonly GuardName[] = [...STATUS, 'conflicting-state'];

const reset = (summary: string): CommandRow => ({ summary, guards: RESET, answer: 'nothing' });
const workshop = (summary: string): CommandRow => ({ summary, guards: WORKSHOP, answer: 'nothing' });
const vehicle = (summary: string): CommandRow => ({ summary, guards: STATUS, answer: 'vehicle-state' });
const atRest = (summary: string): CommandRow => ({ summary, guards: AT_REST, answer: 'vehicle-state' });

/** Commands that only the service itself sends (`begin-setup`) have no operation. */
type OfferedName = Exclude<(typeof COMMANDS)[number], { family: 'setup' }>['name'];

const COMMAND_ROWS: Readonly<Record<OfferedName, CommandRow>> = {
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

/** The commands of boxes and vehicles, in the order of the wire's table. */
export const COMMAND_OPERATIONS: readonly CommandOperation[] = COMMANDS.flatMap((command) => {
  if (command.family === 'setup') return [];
  const { summary, guards, answer } = COMMAND_ROWS[command.name];
  const isOfBox = command.family === 'box';
  return [
    {
      method: 'POST',
      path: `/vehicles/{id}/${isOfBox ? 'box-commands' : 'commands'}/${command.name}`,
      kind: isOfBox ? 'box-command' : 'vehicle-command',
      tag: isOfBox ? 'Commands' : 'Vehicle Commands',
      summary,
      ...permitted('vehicle-commands'),
      name: command.name,
      guards: inOrder(guards),
      problems: [
        'resource-not-found',
        ...guards.map(problemOfGuard),
        'conflicting-command',
        'telematics-unit-error',
        ...(isOfBox ? [] : (['third-party-error'] as const)),
      ],
      command,
      answer,
    },
  ];
});

/** A command that the provider of the box's SIM carries out. */
export interface ConnectivityOperation extends Operation {
  readonly name: ConnectivityCommandName;
}

const CONNECTIVITY_ROWS: Readonly<
  Record<ConnectivityCommandName, { readonly summary: string; readonly guards: readonly GuardName[] }>
> = {
  'network-detach': {
    summary: "Detaches the vehicle's SIM from the mobile network.",
    guards: ['setup-status', 'shared-partner-only', 'command-not-supported', 'sim-provider', 'not-ready'],
  },
  'request-sim-activation': {
    summary: "Activates the vehicle's SIM.",
    guards: ['setup-status', 'shared-owner-only', 'command-not-supported', 'not-ready'],
  },
  'request-sim-suspension': {
    summary: "Suspends the vehicle's SIM.",
    guards: ['setup-status', 'shared-owner-only', 'command-not-supported', 'not-ready'],
  },
};

export const CONNECTIVITY_OPERATIONS: readonly ConnectivityOperation[] = CONNECTIVITY_COMMANDS.map((name) => {
  const { summary, guards } = CONNECTIVITY_ROWS[name];
  return {
    method: 'POST',
    path: `/vehicles/{id}/box-connectivity-commands/${name}`,
    kind: 'connectivity-command',
    tag: 'Connectivity Commands',
    summary,
    ...permitted('connectivity-commands'),
    name,
    guards: inOrder(guards),
    problems: ['resource-not-found', ...guards.map(problemOfGuard)],
  };
});
