import type { Evidence } from '../../../judge/evidence/evidence.ts';
import type { FactKind } from '../../../judge/evidence/fact.ts';
import type { SimulatedVehicle, VehicleSnapshot } from '../../../judge/evidence/simulated-vehicle.ts';
import type { MessageKindName } from '../../../protocol/message-kinds.ts';
import type { Random } from '../../../world/random/random.ts';
import type { Time } from '../../../world/time/time.ts';
import type { CrashPoint } from '../../language/steps/backend-breaks.ts';
import type { Break } from '../../language/steps/breaks.ts';
import type { ApiRequest } from '../../language/steps/request.ts';
import type { VehicleAct } from '../../language/steps/vehicle-acts.ts';
import type { Weather } from '../../language/steps/weather.ts';
import type { WatchedFault } from './watched-fault.ts';

/**
 * Removes what lasts, and resolves with why it had no effect, in a sentence; undefined: it had one. A second call
 * does nothing.
 */
export type UndoFault = () => Promise<string | undefined>;

export interface ApiAnswer {
  /** 0: the service went down before it answered. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Parsed where it is JSON, else the text; undefined where there is none. */
  readonly body: unknown;
  readonly tookMs: number;
}

/** The result of a token request. */
export interface TokenAnswer {
  readonly answer: ApiAnswer;
  /** Absent: the service issued none, or there was no request. */
  readonly token?: string;
}

/** A message as it reached a queue, with its search keys. */
export interface SeenMessage {
  readonly atMs: number;
  readonly vehicleId: string;
  readonly name: string;
  readonly messageId: string;
  /** The name of the queue that it reached. */
  readonly queue: string;
  readonly body: unknown;
}

/**
 * The port of a run to its world. The virtual implementation is one process without a clock; the real one is sockets
 * and processes. The run (scenarios/run/play.ts) knows no more of either than this.
 */
export interface Testbed {
  readonly world: 'virtual' | 'real';
  readonly time: Time;
  /** Draws of the run itself, by named streams: selections, the order of concurrent events. */
  readonly random: Random;
  readonly vehicles: readonly SimulatedVehicle[];
  /** Starts fleet and service, configured as the scenario says. */
  start(): Promise<void>;
  /**
   * Performs an act on a vehicle. Resolves with the reason where it is impossible, or where it has changed nothing,
   * as far as can be observed.
   */
  act(
    vehicle: SimulatedVehicle,
    act: VehicleAct,
  ): Promise<{ readonly refusal?: string; readonly outcome?: unknown; readonly unchanged?: string }>;
  /** Applies weather to the boxes of these vehicles. An instantaneous one has an ending that does nothing. */
  weather(networkFaults: Weather, vehicles: readonly SimulatedVehicle[]): Promise<UndoFault>;
  /** `isTimed`: it is removed after a while (`for`), and not only at the end of the run. */
  break(broken: Break, vehicles: readonly SimulatedVehicle[], isTimed: boolean): Promise<UndoFault>;
  /** Calls when a box of these vehicles sends or receives a frame of this kind, until the returned function is called. */
  onFrame(kind: MessageKindName, vehicles: readonly SimulatedVehicle[], happened: () => void): () => void;
  /** Calls when the backend comes to this point next, once; the returned function cancels it. */
  onPoint(point: CrashPoint, happened: () => void): () => void;
  /** Never rejects. */
  ask(request: ApiRequest): Promise<ApiAnswer>;
  /** Fetches a token of a client, for calls that must use that very one. Never rejects. */
  token(as: string): Promise<TokenAnswer>;
  /** The service has made a vehicle around the box of this vehicle, or (empty) has deleted it. */
  setVehicleId(vehicle: SimulatedVehicle, vehicleId: string): void;
  /** The fleet behind a name of the language: `own`, `partner`, `stranger`. */
  fleetId(name: string): string;
  /** The owner of a queue with this name at that time, by its name in the language, if any. */
  fleetOfQueue(queue: string, atMs: number): string | undefined;
  /** The current truth of the vehicle, belief of the box, session and journal; of a maker's car the truth. */
  snapshotOf(vehicle: SimulatedVehicle): VehicleSnapshot;
  /**
   * Every further fact that the testbed itself observes: connectivity, journal, messages, service, faults; and each
   * message with its body.
   */
  observe(onFact: (fact: FactKind) => void, onMessage: (message: SeenMessage) => void): void;
  /** Calls with each fault that is applied from now on, right before the fact that reports it. */
  watchFaults(told: (fault: WatchedFault) => void): void;
  /** The input of checkers, read when the run is over and before it is closed. */
  readonly evidence: Evidence;
  /** Ends everything. */
  close(): Promise<void>;
}
