import type { MobileNetwork } from '../../vehicle/sensing/vehicle-ports.ts';
import type { SimState } from '../core/box-hardware.ts';
import { drawChance } from '../core/chance.ts';
import type { RamPart } from '../core/state.ts';
import type { StepContext } from '../core/step-context.ts';
import { modemOff } from './session-state.ts';

/** How long each phase takes, from and to. */
const DURATIONS = {
  searching: [200, 600],
  registered: [100, 400],
  /** How long a network refuses a modem that it has detached. */
  detached: [5_000, 15_000],
} as const;

/** Switches the modem off, and on again after `downMs`. */
export function restartModem(context: StepContext, downMs: number): void {
  context.ram.modem = { ...modemOff, until: context.at + downMs };
}

/** Releases the data connection; the modem stays registered and requests a new one. */
export function restartData(context: StepContext): void {
  if (context.ram.modem.phase !== 'data-up') return;
  enterPhase(context, 'registered');
}

/** Leaves the network and searches for the one that the counters name. */
export function restartSearch(context: StepContext): void {
  if (context.ram.modem.phase !== 'off') enterPhase(context, 'searching');
}

function enterPhase(context: StepContext, phase: 'searching' | 'registered'): void {
  const isRefused = phase === 'searching' && context.ram.sim === 'detached';
  const [shortest, longest] = DURATIONS[isRefused ? 'detached' : phase];
  const { fraction, next } = drawChance(context.ram.chance);
  context.ram.chance = next;
  context.ram.modem = {
    phase,
    until: context.at + shortest + Math.floor(fraction * (longest - shortest)),
    upAt: context.ram.modem.upAt ?? context.at,
    dataUpAt: undefined,
  };
}

/** Whether there is a network that the modem could register with. */
function isUsable(ram: RamPart): boolean {
  return ram.networks.length > 0 && ram.sim !== 'suspended';
}

/** Whether the network allows the modem to stay registered. */
function isAdmitted(ram: RamPart): boolean {
  return isUsable(ram) && ram.sim !== 'detached';
}

/** The new state of the card when its provider sets `to`: a suspended one is on no network to be detached from. */
export function simAfter(sim: SimState, to: SimState): SimState {
  return sim === 'suspended' && to === 'detached' ? sim : to;
}

/** Runs the modem's due transitions. The receivable networks are in `ram.networks`. */
export function operateModem(context: StepContext): void {
  const { modem } = context.ram;
  const isDue = modem.until !== undefined && context.at >= modem.until;
  switch (modem.phase) {
    case 'off':
      if (isDue) enterPhase(context, 'searching');
      return;
    case 'searching':
      if (!isUsable(context.ram)) {
        if (modem.until !== undefined) context.ram.modem = { ...modem, until: undefined };
      } else if (modem.until === undefined) enterPhase(context, 'searching');
      else if (isDue) {
        if (context.ram.sim === 'detached') context.ram.sim = 'active';
        enterPhase(context, 'registered');
      }
      return;
    case 'registered':
      if (!isAdmitted(context.ram)) enterPhase(context, 'searching');
      else if (isDue)
        context.ram.modem = { ...modem, phase: 'data-up', until: undefined, dataUpAt: context.at };
      return;
    case 'data-up':
      if (!isAdmitted(context.ram)) enterPhase(context, 'searching');
      return;
    default:
      modem.phase satisfies never;
  }
}

/** The network that the modem uses: the chosen one where it can be received, else the strongest. */
export function usedNetwork(networks: readonly MobileNetwork[], chosen: number): MobileNetwork | undefined {
  return networks.find((network) => network.code === chosen) ?? networks[0];
}

/** The network after the one in use, in the order of their strength; undefined: there is no other. */
export function otherNetwork(networks: readonly MobileNetwork[], chosen: number): MobileNetwork | undefined {
  const used = usedNetwork(networks, chosen);
  if (used === undefined || networks.length < 2) return undefined;
  return networks[(networks.indexOf(used) + 1) % networks.length];
}
