import type { World } from '../world/world.ts';

/** The parts of a world that the simulator uses. */
export type SimulatorWorld = Pick<
  World,
  'time' | 'random' | 'ids' | 'crypto' | 'flash' | 'mqtt' | 'http' | 'trace' | 'log'
>;
