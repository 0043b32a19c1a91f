import type { MessageKindName } from '../../../protocol/codec/kinds.ts';
import type { Random } from '../../../world/random/random.ts';
import type { Time } from '../../../world/time/time.ts';
import type { CrashPoint } from '../../language/steps/backend-breaks.ts';
import type { Break } from '../../language/steps/breaks.ts';
import type { VehicleAct } from '../../language/steps/vehicle-acts.ts';
import type { Weather } from '../../language/steps/weather.ts';
import type { FactKind } from '../../run/fact.ts';
import type { Evidence } from './evidence.ts';
import type { SimulatedVehicle, VehicleSnapshot } from './simulated-vehicle.ts';
import type { WatchedFault } from './watched-fault.ts';

/**
 * Takes back what lasts, and resolves with why it has never struck, in a sentence; undefined: it has. Calling it twice
 * does nothing.
 */
export type UndoFault = () => Promise<string | undefined>;

export interface ApiAnswer {
  /** 0: the service went away before it answered. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON, else the text; undefined where there is none. */
  readonly body: unknown;
  readonly tookMs: number;
}

export interface ApiRequest {
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
export interface TokenAnswer {
  readonly answer: ApiAnswer;
  /** Absent: the service gave none, or nobody asked. */
  readonly token?: string;
}

/** A message as it came to a queue, with what it may be looked for by. */
export interface SeenMessage {
  readonly atMs: number;
  readonly vehicleId: string;
  readonly name: string;
  readonly messageId: string;
  /** The queue that it came to lie in. */
  readonly queue: string;
  readonly body: unknown;
}

/**
 * What a run needs of the world that it is played in. The virtual fulfilment is one process without a clock; the real
 * one is sockets and processes. The run (scenarios/run/play.ts) knows no more of either than this.
 */
export interface Testbed {
  readonly world: 'virtual' | 'real';
  readonly time: Time;
  /** Draws of the run itself, by named streams: selections, the order of what happens at the same time. */
  readonly random: Random;
  readonly vehicles: readonly SimulatedVehicle[];
  /** Brings fleet and service up, configured as the scenario says. */
  start(): Promise<void>;
  /**
   * Something is done to a vehicle. Resolves with the reason where it cannot be done, or where it has changed nothing, as
   * far as that can be seen.
   */
  act(
    vehicle: SimulatedVehicle,
    act: VehicleAct,
  ): Promise<{ readonly refusal?: string; readonly outcome?: unknown; readonly unchanged?: string }>;
  /**
   * Applies weather to the boxes of these vehicles. What is over as soon as it happened has an ending that does
   * nothing.
   */
  weather(networkFaults: Weather, vehicles: readonly SimulatedVehicle[]): Promise<UndoFault>;
  /** `isTimed`: it is taken back after a while (`for`), and not only at the end of the run. */
  break(broken: Break, vehicles: readonly SimulatedVehicle[], isTimed: boolean): Promise<UndoFault>;
  /** Calls when a box of these vehicles sends or receives a frame of this kind, until the returned function is called. */
  onFrame(kind: MessageKindName, vehicles: readonly SimulatedVehicle[], happened: () => void): () => void;
  /** Calls when the backend comes to this point next, once; the returned function takes it back. */
  onPoint(point: CrashPoint, happened: () => void): () => void;
  /** Never rejects. */
  ask(request: ApiRequest): Promise<ApiAnswer>;
  /** Fetches a token of a client, for calls that are to use that very one. Never rejects. */
  token(as: string): Promise<TokenAnswer>;
  /** The service has made a vehicle around the box of this vehicle, or (empty) has deleted it. */
  setVehicleId(vehicle: SimulatedVehicle, vehicleId: string): void;
  /** The fleet behind a name of the language: `own`, `partner`, `stranger`. */
  fleetId(name: string): string;
  /** Whose queue had this name at that time, by a name of the language; undefined: nobody's. */
  fleetOfQueue(queue: string, atMs: number): string | undefined;
  /**
   * The vehicle's truth, the box's belief, its session and its journal, as they are now; of a maker's car the truth.
   */
  snapshotOf(vehicle: SimulatedVehicle): VehicleSnapshot;
  /**
   * Every fact that the testbed itself sees from now on: connectivity, journal, messages, service, faults; and each
   * message with its body.
   */
  observe(onFact: (fact: FactKind) => void, onMessage: (message: SeenMessage) => void): void;
  /** Calls with each fault that is laid from now on, right before the fact that tells of it. */
  watchFaults(told: (fault: WatchedFault) => void): void;
  /** What checkers compare, read when the run is over and before it is closed. */
  readonly evidence: Evidence;
  /** Ends everything. */
  close(): Promise<void>;
}
