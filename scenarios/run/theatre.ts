import type { Random } from '../../world/random.ts';
import type { Time } from '../../world/time.ts';
import type { Break } from '../language/breaks.ts';
import type { FleetGroup } from '../language/scenario.ts';
import type { VehicleAct } from '../language/vehicle-acts.ts';
import type { Weather } from '../language/weather.ts';
import type { Evidence } from './evidence.ts';
import type { FactKind, VehicleNumber } from './fact.ts';
import type { SeenMessage } from './judge.ts';

/** One vehicle of the run. */
export interface Player {
  /** From 1, in the order of the fleet. */
  readonly number: VehicleNumber;
  readonly group: FleetGroup;
  /** Empty while its box is on the shelf; `onboarded` fills it in. */
  readonly vehicleId: string;
  readonly model: string;
  /** Undefined: its maker's telematics. */
  readonly boxId: string | undefined;
  readonly fleetId: string;
}

/** Takes back what lasts. Calling it twice does nothing. */
export type Ending = () => Promise<void>;

export interface Answer {
  /** 0: the service went away before it answered. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON, else the text; undefined where there is none. */
  readonly body: unknown;
  readonly tookMs: number;
}

export interface Asked {
  readonly method: string;
  /** With everything filled in. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** A client of the scenario or a row of `CALLERS`. */
  readonly as: string;
  /** A token that is used as it stands, empty where none was given; absent: a valid one of that client. */
  readonly token?: string;
}

/** What came of asking for a token. */
export interface GivenToken {
  readonly answer: Answer;
  /** Absent: the service gave none, or nobody asked. */
  readonly token?: string;
}

/**
 * What a run needs of the world that it is played in. The virtual fulfilment is one process without a clock; the real
 * one is sockets and processes. The run (play.ts) knows no more of either than this.
 */
export interface Theatre {
  readonly world: 'virtual' | 'real';
  readonly time: Time;
  /** Draws of the run itself, by named streams: selections, the order of what happens at the same time. */
  readonly random: Random;
  readonly players: readonly Player[];
  /** Brings fleet and service up, configured as the scenario says. */
  raise(): Promise<void>;
  /** Something is done to a vehicle. Resolves with the reason where it cannot be done. */
  act(player: Player, act: VehicleAct): Promise<{ readonly refusal?: string; readonly outcome?: unknown }>;
  /** Lays weather on the boxes of these players. What is over as soon as it happened has an ending that does nothing. */
  weather(weather: Weather, players: readonly Player[]): Promise<Ending>;
  /** `isTimed`: it is taken back after a while (`for`), and not only at the end of the run. */
  break(broken: Break, players: readonly Player[], isTimed: boolean): Promise<Ending>;
  /** Never rejects. */
  ask(asked: Asked): Promise<Answer>;
  /** Fetches a token of a client, for calls that are to use that very one. Never rejects. */
  token(as: string): Promise<GivenToken>;
  /** The service has made a vehicle around the box of this player, or (empty) has deleted it. */
  onboarded(player: Player, vehicleId: string): void;
  /** The fleet behind a name of the language: `own`, `partner`, `stranger`. */
  fleetId(name: string): string;
  /** The vehicle's truth, the box's belief, its session and its journal, as they are now; of a maker's car the truth. */
  look(player: Player): Look;
  /**
   * Every fact that the theatre itself sees from now on: connectivity, journal, messages, service, faults; and each
   * message with its body.
   */
  watch(seen: (fact: FactKind) => void, came: (message: SeenMessage) => void): void;
  /** What checkers compare, read when the run is over and before it is closed. */
  readonly evidence: Evidence;
  /** Ends everything. */
  close(): Promise<void>;
}

export interface Look {
  readonly truth: Readonly<Record<string, unknown>>;
  readonly belief: Readonly<Record<string, unknown>>;
  readonly isConnected: boolean;
  /** Records in the journal; 0 without a box. */
  readonly held: number;
}
