import { afterEach, beforeEach, describe } from 'vitest';
import { type StoreMaker, TestStore } from '../support/store/store-rows.ts';
import { bulkContract } from './store-bulk-contract.ts';
import { bulkRoomContract } from './store-bulk-room-contract.ts';
import { censusContract } from './store-census-contract.ts';
import { clockContract } from './store-clock-contract.ts';
import { commandsContract } from './store-commands-contract.ts';
import { configurationContract } from './store-configuration-contract.ts';
import { grantsContract } from './store-grants-contract.ts';
import { ingestContract } from './store-ingest-contract.ts';
import { installationContract } from './store-installation-contract.ts';
import { leasesContract } from './store-leases-contract.ts';
import { outboxContract } from './store-outbox-contract.ts';
import { quotasContract } from './store-quotas-contract.ts';
import { setupContract } from './store-setup-contract.ts';
import { stockContract } from './store-stock-contract.ts';
import { subscriptionsContract } from './store-subscriptions-contract.ts';
import { thirdPartyContract } from './store-third-party-contract.ts';
import { vehicleListContract } from './store-vehicle-list-contract.ts';
import { vehicleRacesContract } from './store-vehicle-races-contract.ts';
import { vehiclesContract } from './store-vehicles-contract.ts';
import { wakeUpsContract } from './store-wake-ups-contract.ts';

/** The behaviour of every store, whichever database it uses. */
export function storeContract(name: string, maker: StoreMaker): void {
  describe(`${name} as a store`, () => {
    const stage = new TestStore(maker);
    beforeEach(() => stage.open());
    afterEach(() => stage.close());
    vehiclesContract(stage);
    vehicleListContract(stage);
    vehicleRacesContract(stage);
    stockContract(stage);
    ingestContract(stage);
    leasesContract(stage);
    commandsContract(stage);
    outboxContract(stage);
    bulkContract(stage);
    bulkRoomContract(stage);
    configurationContract(stage);
    grantsContract(stage);
    setupContract(stage);
    thirdPartyContract(stage);
    subscriptionsContract(stage);
    censusContract(stage);
    clockContract(stage);
    wakeUpsContract(stage);
    quotasContract(stage);
    installationContract(stage);
  });
}
