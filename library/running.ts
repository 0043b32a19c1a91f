import type { AppliedFault, FaultTime } from './applied-faults.ts';
import type { Box } from './box.ts';
import type { Message, MessageQuery, MessageStream, MessageType, WaitTime } from './message.ts';
import type { PartBreak } from './types/breaks.ts';
import type { VehicleState } from './types/vehicle-state.ts';
import type { Weather } from './types/weather.ts';
import type { Device, RunningVehicle, VehicleReference } from './vehicle.ts';

/** Everything, running in this process. */
export interface Running {
  /** Of the API, and the issuer of its tokens: `http://127.0.0.1:49152`. */
  readonly baseUrl: string;
  /** Of the simulator's control API. */
  readonly simulatorUrl: string;
  /** Of the console; null if it was not requested. */
  readonly consoleUrl: string | null;
  readonly mqttUrl: string;
  /** How a client of your own reads the messages of the fleet. Null with `amqp: 'none'`. */
  readonly amqp: AmqpAccount | null;
  readonly fleetId: string;
  /** A client of the fleet with every permission. */
  readonly clientId: string;
  readonly clientSecret: string;
  /** The vehicles that are set up, in the order of the seed: as many as `vehicles` says. */
  readonly vehicles: readonly RunningVehicle[];
  /** One of them, from 0; the first if none is named. Throws where there is none. */
  vehicle(index?: number): RunningVehicle;
  /** Devices that are powered and connected and in no vehicle record: for `POST /vehicles`. */
  readonly unassignedDevices: readonly Device[];
  /** @deprecated Its name is `unassignedDevices` now. */
  readonly shelf: readonly Device[];
  /** A new access token of the client. Rejects where the service refuses it. */
  token(): Promise<string>;
  /** One request to the API with a token of the client; a body goes as JSON. Resolves whatever the status is. */
  call(method: string, path: string, body?: unknown): Promise<Response>;
  /** What the service knows of a vehicle: its `latest_vehicle_state`. Rejects where it knows no such vehicle. */
  state(vehicle: VehicleReference): Promise<VehicleState>;
  /** One request to the control API; resolves with its JSON, rejects with its refusal and the reason. */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Weather on all boxes, by the words of the scenario language. Resolves once it is applied. */
  weather(weather: Weather, time?: FaultTime): Promise<AppliedFault>;
  /** Breaks a part that all share: `{ exchange: 'down' }`. Resolves once it is broken. */
  break(broken: PartBreak, time?: FaultTime): Promise<AppliedFault>;
  /** The box of a vehicle, or one by its own id or that of its vehicle. */
  box(of: VehicleReference): Box;
  /**
   * Waits for the next message that the service publishes after this call; what the test does through this object
   * from then on waits until the reading has begun. Rejects with what arrived instead, and what to check.
   */
  nextMessage<Type extends MessageType = MessageType>(
    query?: MessageQuery<Type>,
    time?: WaitTime,
  ): Promise<Message<Type>>;
  /** Messages from this call on; and the former place of `amqp`. */
  readonly messages: ReadMessages;
  /** Ends everything. Resolves once all sockets are closed; a temporary directory is removed then. */
  stop(): Promise<void>;
}

/** A broker, and an account that may read the queues of the fleet and nothing else. */
export interface AmqpAccount {
  /** Ready for a client: `amqp://demo-fleet1:...@127.0.0.1:49153`. Null where the broker accepts TLS only. */
  readonly url: string | null;
  /** The same by TLS; null where there is none. */
  readonly tlsUrl: string | null;
  /** A PEM file, for the `ca` of a client that uses `tlsUrl`; null where it needs none. */
  readonly caPath: string | null;
  readonly username: string;
  readonly password: string;
  /** Of the vehicle states: `VehicleState_v1-demo`. The other topics have analogous names. */
  readonly queue: string;
}

/** Reads messages: `for await (const message of service.messages({ type })) ...`. */
export interface ReadMessages {
  /** Its buffer holds 10,000 messages; where the reader is slower, `next` rejects once they are taken. */
  <Type extends MessageType = MessageType>(query?: MessageQuery<Type>): MessageStream<Type>;
  /** @deprecated `amqp.url` */
  readonly url?: string | null;
  /** @deprecated `amqp.tlsUrl` */
  readonly tlsUrl?: string | null;
  /** @deprecated `amqp.caPath` */
  readonly caPath?: string | null;
  /** @deprecated `amqp.username` */
  readonly username?: string;
  /** @deprecated `amqp.password` */
  readonly password?: string;
  /** @deprecated `amqp.queue` */
  readonly queue?: string;
}
