import type { World } from '../../../world/world.ts';
import type { Store } from '../../store/port/store.ts';
import type { ModelKnowledge } from '../../vehicles/capabilities.ts';
import type { Authorize } from '../authorize.ts';

/** What the routes of vehicles need. */
export interface VehicleRoutesParts {
  readonly world: Pick<World, 'time' | 'ids' | 'crypto'>;
  readonly store: {
    readonly vehicles: Pick<
      Store['vehicles'],
      'find' | 'findMakerUnit' | 'list' | 'create' | 'change' | 'remove'
    >;
  };
  readonly models: ModelKnowledge;
  readonly authorize: Authorize;
  /** The makers whose interfaces are set up. */
  readonly makers: readonly string[];
  /**
   * Whether a maker has a vehicle of that identifier; absent, or `unclear`: it is linked without that check.
   */
  readonly knowsAtMaker?:
    | ((maker: string, vehicleId: string) => Promise<'known' | 'unknown' | 'unclear'>)
    | undefined;
  /** Absent without a message broker: then no message is written. `written`: messages are in the outbox. */
  readonly messages?: { written(): void } | undefined;
  /** A vehicle was onboarded that is to be set up with this box. */
  onboarded(boxId: string): void;
}
