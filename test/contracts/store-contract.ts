import { afterEach, beforeEach, describe } from 'vitest';
import { commandsContract } from './store-commands-contract.ts';
import { ingestContract } from './store-ingest-contract.ts';
import { type StoreMaker, StoreStage } from './store-kit.ts';
import { vehiclesContract } from './store-vehicles-contract.ts';

/** What every store must do, whichever database is behind it. */
export function storeContract(name: string, maker: StoreMaker): void {
  describe(`${name} as a store`, () => {
    const stage = new StoreStage(maker);
    beforeEach(() => stage.open());
    afterEach(() => stage.store.close());
    vehiclesContract(stage);
    ingestContract(stage);
    commandsContract(stage);
  });
}
