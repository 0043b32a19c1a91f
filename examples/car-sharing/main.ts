import { startCarSharing } from './car-sharing.ts';

/**
 * A car-sharing back end: `node main.ts`. What it needs comes as variables:
 *
 *     API, CLIENT_ID, CLIENT_SECRET   the service, as `boxtwin up --verbose` shows it
 *     AMQP_CA                         the authority of the broker's certificate: .boxtwin/tls/ca.pem
 *     DATABASE, PORT                  where it keeps everything, and where drivers call (car-sharing.sqlite, 4800)
 *     PAYMENTS                        where invoices are charged
 */
const { env } = process;
const missing = ['API', 'CLIENT_ID', 'CLIENT_SECRET'].filter((name) => (env[name] ?? '') === '');
if (missing.length > 0) {
  console.error(`Set ${missing.join(', ')}: "npx boxtwin up --verbose" shows them.`);
  process.exit(2);
}
const { url, stop } = await startCarSharing({
  service: {
    url: env['API'] ?? '',
    clientId: env['CLIENT_ID'] ?? '',
    clientSecret: env['CLIENT_SECRET'] ?? '',
  },
  messages: { discriminator: 'car-sharing', caFile: env['AMQP_CA'] },
  rental: { centsPerKm: 35, billAfterMs: Number(env['BILL_AFTER_MS'] ?? 10_000), openingMs: 120_000 },
  database: env['DATABASE'] ?? 'car-sharing.sqlite',
  port: Number(env['PORT'] ?? 4800),
  payments: env['PAYMENTS'],
});
console.log(`drivers call ${url}/bookings`);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    stop().catch((error: unknown) => {
      console.error(error);
      process.exitCode = 1;
    });
  });
