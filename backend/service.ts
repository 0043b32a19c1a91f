import type { World } from '../world/world.ts';
import type { Store } from './store/store.ts';

/** Everything that the backend can be told from outside. */
export interface ServiceSettings {
  /** `http://127.0.0.1:8080`, without a slash at the end; the issuer of tokens too. */
  readonly baseUrl: string;
  readonly mqtt: { readonly clientId: string; readonly username: string; readonly password: string };
  /** How long a box may stay silent on a command, in milliseconds. */
  readonly answerTimeoutMs: number;
  /** The queues that are declared and bound at start: `VehicleState_v1-demo` for a fleet. */
  readonly queues: readonly { readonly name: string; readonly fleetId: string }[];
}

export type ServiceWorld = Pick<
  World,
  'time' | 'random' | 'mint' | 'seal' | 'link' | 'exchange' | 'trace' | 'log'
>;

export interface Service {
  /** Answers one HTTP request. Never rejects. */
  fetch(request: Request): Promise<Response>;
  /** Resolves once intake is connected to the broker; messages go out as soon as the exchange can be reached. */
  started: Promise<void>;
  /** Takes nothing more, settles what it holds, closes its sessions. The store stays open: it is the caller's. */
  stop(): Promise<void>;
  /** Cuts it off at once as kill -9 would: nothing that it still had in mind acts afterwards. */
  sever(): void;
}

export declare function startService(world: ServiceWorld, store: Store, settings: ServiceSettings): Service;
