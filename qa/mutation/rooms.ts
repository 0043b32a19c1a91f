/** A room, or a folder of one, whose code is changed, and the tests that ought to notice. */
export interface MutatedRoom {
  readonly name: string;
  /** From the root of the checkout. Its TypeScript files are mutated, with those of the folders in it. */
  readonly folder: string;
  /** Folders and files of tests, in the order in which they are played: the first that fails ends a mutant. */
  readonly tests: readonly string[];
}

/**
 * What is mutated. Tests that need sockets, processes or services are left out, and so are those that take longest:
 * a mutant that survives costs all the tests that reach it.
 */
export const ROOMS: readonly MutatedRoom[] = [
  {
    name: 'protocol',
    folder: 'protocol',
    tests: [
      'test/unit/protocol',
      'test/unit/backend/vehicles/translation',
      'test/unit/backend/vehicles/vehicle-capabilities.test.ts',
      'test/unit/backend/vehicles/capability-tables.test.ts',
      'test/unit/backend/base/limits.test.ts',
      'test/unit/simulator/limits.test.ts',
      'test/unit/simulator/firmware',
      'test/unit/brokers/mqtt',
      'test/properties/firmware-frames.test.ts',
      'test/properties/receiver.test.ts',
      'test/properties/tracking.test.ts',
      'test/properties/energy-reported.test.ts',
    ],
  },
  {
    name: 'firmware',
    folder: 'simulator/firmware',
    tests: [
      'test/unit/simulator/firmware',
      'test/unit/simulator/box',
      'test/properties/tracking.test.ts',
      'test/properties/firmware-frames.test.ts',
      'test/properties/skipped-readings.test.ts',
      'test/properties/combined-commands.test.ts',
      'test/properties/firmware.test.ts',
    ],
  },
  {
    name: 'ingest',
    folder: 'backend/ingest',
    tests: [
      'test/unit/backend/ingest',
      'test/unit/backend/vehicles/records.test.ts',
      'test/unit/backend/commands/command-dispatcher.test.ts',
      'test/unit/backend/configuration/features.test.ts',
      'test/properties/ingest-journal-position.test.ts',
      'test/properties/ingest-reduce.test.ts',
      'test/properties/received-journal.test.ts',
    ],
  },
  {
    name: 'commands',
    folder: 'backend/commands',
    tests: [
      'test/unit/backend/commands',
      'test/unit/backend/setup',
      'test/unit/backend/ingest/presence.test.ts',
      'test/openapi/described.test.ts',
      'test/openapi/examples.test.ts',
      'test/properties/service-model.test.ts',
    ],
  },
  {
    name: 'configuration',
    folder: 'backend/configuration',
    tests: [
      'test/unit/backend/configuration',
      'test/unit/backend/http/routes/bulk-routes.test.ts',
      'test/unit/backend/http/routes/feature-routes.test.ts',
      'test/unit/simulator/firmware/core/features.test.ts',
      'test/openapi/described.test.ts',
      'test/openapi/examples.test.ts',
      'test/properties/bulk-request.test.ts',
    ],
  },
  {
    name: 'events',
    folder: 'backend/events',
    tests: [
      'test/unit/backend/events',
      'test/unit/backend/vehicles/data-changed.test.ts',
      'test/unit/backend/vehicles/dependent-values.test.ts',
      'test/unit/backend/vehicles/every-property-value.test.ts',
      'test/unit/backend/subscriptions',
      'test/unit/backend/http/routes/subscription-routes.test.ts',
      'test/unit/backend/http/openapi/asyncapi.test.ts',
      'test/unit/backend/ingest/ingest.test.ts',
      'test/asyncapi/validator.test.ts',
      'test/openapi/described.test.ts',
      'test/openapi/state.test.ts',
      'test/properties/maker-translate.test.ts',
      'test/properties/outbox-publisher.test.ts',
    ],
  },
];
