import { startManagedAmqp } from './managed-amqp-broker.ts';

/** The managed broker as a separate process, to be killed: `managed-amqp-program.ts <folder>` prints its addresses. */
const [, , folder = ''] = process.argv;
const { url, adminUrl } = await startManagedAmqp(folder);
process.stdout.write(`${JSON.stringify({ url, adminUrl })}\n`);
