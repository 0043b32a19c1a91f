import type { CommandName } from '../commands.ts';

/** Commands that the wiring of nearly every car allows. */
export const CAR_COMMANDS: readonly CommandName[] = [
  'request-vehicle-state',
  'enable-driving',
  'disable-driving',
  'unlock-central-lock',
  'lock-central-lock',
  'unlock-and-enable-driving',
  'lock-and-disable-driving',
];

/** Commands that the wiring of a scooter with a top case allows. */
export const SCOOTER_COMMANDS: readonly CommandName[] = [
  'request-vehicle-state',
  'enable-driving',
  'disable-driving',
  'unlock-top-case',
  'lock-top-case',
  'draw-attention',
];
