import type { VirtualBroker } from '../../world/virtual-broker.ts';
import type { VirtualExchangeBroker } from '../../world/virtual-exchange-broker.ts';
import type { Weather } from '../../world/weather.ts';

/**
 * As much of a world as weather and breaks are laid over. The virtual world is one; over sockets proxies and ports with
 * faults make another, and the words of both are the same.
 */
export interface FaultWorld {
  readonly weather: Pick<Weather, keyof Weather>;
  readonly broker: Pick<VirtualBroker, 'restart' | 'isDown' | 'setDown'>;
  readonly exchangeBroker: Pick<
    VirtualExchangeBroker,
    'isDown' | 'setDown' | 'setBlocked' | 'setRefusing' | 'swallowConfirms' | 'delayConfirms' | 'cut'
  >;
}
