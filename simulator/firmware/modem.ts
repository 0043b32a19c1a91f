import type { MobileNetwork } from '../vehicle/senses.ts';
import { draw } from './chance.ts';
import type { RamPart, SimState } from './state.ts';
import type { Turn } from './turn.ts';

/**
 * The modem: off → searching → registered → data up. Each change takes a while, by chance. Without coverage, without
 * a network or with a suspended SIM it searches on for ever. Detached by the SIM's provider it loses the network once,
 * and registers again by itself.
 */
export interface Modem {
  readonly phase: 'off' | 'searching' | 'registered' | 'data-up';
  /** When the phase ends by itself; undefined: it waits for something outside. */
  readonly until: number | undefined;
  readonly upAt: number | undefined;
  readonly dataUpAt: number | undefined;
}

/** How long each phase takes, from and to. */
const DURATIONS = {
  searching: [200, 600],
  registered: [100, 400],
  /** How long a network that has sent the modem away refuses it. */
  detached: [5_000, 15_000],
} as const;

export const modemOff: Modem = { phase: 'off', until: undefined, upAt: undefined, dataUpAt: undefined };

/** Switches the modem off, and on again after `downMs`. */
export function restartModem(turn: Turn, downMs: number): void {
  turn.ram.modem = { ...modemOff, until: turn.at + downMs };
}

/** Gives the data connection back to the network; the modem stays registered and asks for a new one. */
export function restartData(turn: Turn): void {
  if (turn.ram.modem.phase !== 'data-up') return;
  enter(turn, 'registered');
}

/** Leaves the network and looks for the one that the counters name. */
export function restartSearch(turn: Turn): void {
  if (turn.ram.modem.phase !== 'off') enter(turn, 'searching');
}

function enter(turn: Turn, phase: 'searching' | 'registered'): void {
  const isRefused = phase === 'searching' && turn.ram.sim === 'detached';
  const [shortest, longest] = DURATIONS[isRefused ? 'detached' : phase];
  const { fraction, next } = draw(turn.ram.chance);
  turn.ram.chance = next;
  turn.ram.modem = {
    phase,
    until: turn.at + shortest + Math.floor(fraction * (longest - shortest)),
    upAt: turn.ram.modem.upAt ?? turn.at,
    dataUpAt: undefined,
  };
}

/** Whether there is anything here that the modem could register with. */
function isUsable(ram: RamPart): boolean {
  return ram.networks.length > 0 && ram.sim !== 'suspended';
}

/** Whether the network lets the modem stay. */
function isWelcome(ram: RamPart): boolean {
  return isUsable(ram) && ram.sim !== 'detached';
}

/** What becomes of the card when its provider says `to`: a suspended one is on no network to be detached from. */
export function simAfter(sim: SimState, to: SimState): SimState {
  return sim === 'suspended' && to === 'detached' ? sim : to;
}

/** Lets the modem do what is due. What it can receive is in `ram.networks`. */
export function tendModem(turn: Turn): void {
  const { modem } = turn.ram;
  const isDue = modem.until !== undefined && turn.at >= modem.until;
  switch (modem.phase) {
    case 'off':
      if (isDue) enter(turn, 'searching');
      return;
    case 'searching':
      if (!isUsable(turn.ram)) {
        if (modem.until !== undefined) turn.ram.modem = { ...modem, until: undefined };
      } else if (modem.until === undefined) enter(turn, 'searching');
      else if (isDue) {
        if (turn.ram.sim === 'detached') turn.ram.sim = 'active';
        enter(turn, 'registered');
      }
      return;
    case 'registered':
      if (!isWelcome(turn.ram)) enter(turn, 'searching');
      else if (isDue) turn.ram.modem = { ...modem, phase: 'data-up', until: undefined, dataUpAt: turn.at };
      return;
    case 'data-up':
      if (!isWelcome(turn.ram)) enter(turn, 'searching');
      return;
    default:
      modem.phase satisfies never;
  }
}

/** The network that the modem uses: the chosen one where it can be received, else the strongest. */
export function networkOf(networks: readonly MobileNetwork[], chosen: number): MobileNetwork | undefined {
  return networks.find((network) => network.code === chosen) ?? networks[0];
}

/** The network after the one in use, in the order of their strength; undefined: there is no other. */
export function otherNetwork(networks: readonly MobileNetwork[], chosen: number): MobileNetwork | undefined {
  const used = networkOf(networks, chosen);
  if (used === undefined || networks.length < 2) return undefined;
  return networks[(networks.indexOf(used) + 1) % networks.length];
}
