/**
 * Files of the other folders that `npm test` leaves out and `npm run test:all` has, because they took 10 s and more: they
 * need a server of their own kind, start many processes, or count for long. Whoever changes what they test runs them.
 */
export const HEAVY_FILES: readonly string[] = [
  'test/contracts/{postgres-store,amqp-consumer-rabbitmq,rabbit-accounts,rabbit-accounts-embedded}.test.ts',
  'test/unit/backend/events/rabbit-accounts.test.ts',
  'test/unit/backend/store/sqlite/threaded-store.test.ts',
  'test/unit/backend/store/delayed-store.test.ts',
  'test/unit/judge/rules/twin/twin-is-true.test.ts',
  'test/sockets/{amqp-admin,amqp-management,certify-client-command,clients,damaged-files,fixed-client,library-killed,listening-address,mass-disconnect,models-from-dbc,mqtts,oauth-clients,postgres-*,problems,standard-input,swarm-running,test-libraries,two-installations,up,up-messages,up-reachable,verbs}.test.ts',
  'test/properties/bad-input-*.test.ts',
  'test/simulation/{coverage-of-swarm,days-offline,explore-planted,feature-events,jobs-of-commands,scenario-command,scenario-from-trace,stories-of-backends,swarm-finds-service,twin-is-true}.test.ts',
];
