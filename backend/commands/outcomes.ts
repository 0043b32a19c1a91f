import { problem, type Refusal } from '../../contract/problems.ts';
import type { Command } from '../store/port/command-store.ts';

/**
 * Why a command failed, by its outcome in the store; undefined for `done`. `command.error` is the error text of the
 * box.
 */
export function refusalOf(command: Pick<Command, 'outcome' | 'error'>): Refusal | undefined {
  switch (command.outcome) {
    case 'done':
      return undefined;
    case 'expired':
      return problem('no-connection', 'The vehicle did not answer in time. The command was not carried out.');
    case 'open':
    case 'unknown':
      return problem(
        'no-connection',
        'The vehicle did not answer in time. The command may have been carried out.',
      );
    case 'withdrawn':
      return problem('no-connection', 'The vehicle could not be reached. The command was not sent.');
    case 'unsupported':
      return problem('command-not-supported', 'The telematics unit does not support this command.');
    case 'conflicting-state':
      return problem(
        'conflicting-state',
        command.error === ''
          ? 'The state of the vehicle does not allow this command.'
          : `The state of the vehicle does not allow this command: ${command.error}.`,
      );
    case 'not-ready':
      return problem('conflicting-resource', 'The telematics unit accepts no commands yet.');
    case 'failed':
      return problem(
        'telematics-unit-error',
        command.error === ''
          ? 'The telematics unit failed and gave no reason.'
          : `The telematics unit failed: ${command.error}.`,
      );
    default:
      return command.outcome satisfies never;
  }
}
