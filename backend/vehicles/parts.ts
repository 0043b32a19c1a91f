import type { World } from '../../world/world.ts';
import type { Authorize } from '../http/authorize.ts';
import type { Store } from '../store/store.ts';
import type { ModelKnowledge } from './view.ts';

/** What the routes of vehicles need. */
export interface VehicleRoutesParts {
  readonly world: Pick<World, 'time' | 'mint'>;
  readonly store: {
    readonly vehicles: Pick<Store['vehicles'], 'find' | 'list' | 'create' | 'change' | 'remove'>;
    readonly access: Pick<Store['access'], 'findFleet'>;
  };
  readonly models: ModelKnowledge;
  readonly authorize: Authorize;
  /** The makers whose interfaces are set up. */
  readonly makers: readonly string[];
  /** Whether a maker has a vehicle of that identifier; absent, or `unclear`: it is linked, and seen later. */
  readonly knowsAtMaker?:
    | ((maker: string, vehicleId: string) => Promise<'known' | 'unknown' | 'unclear'>)
    | undefined;
  /** Where there is an exchange: messages have been written. Without one none is made. */
  readonly messages?: { written(): void } | undefined;
  /** A vehicle has come that is to be set up with this box. */
  onboarded(boxId: string): void;
}

export const READING = { scope: 'VEHICLES_RO', permission: 'vehicles.ro' } as const;
export const CHANGING = { scope: 'VEHICLES', permission: 'vehicles' } as const;
