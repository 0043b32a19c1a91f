import { withRights } from '../support/amqp/contract-brokers.ts';
import { startManagedAmqp } from '../support/amqp/managed-amqp-broker.ts';
import { rightsContract } from './amqp-consumer-rights.ts';
import { managementContract } from './management-contract.ts';
import { rabbitAccountsContract } from './rabbit-accounts-contract.ts';

rabbitAccountsContract('the embedded AMQP broker with users of its own', () => startManagedAmqp());
managementContract('the embedded AMQP broker with users of its own', () => startManagedAmqp());

rightsContract('the embedded AMQP broker with users of its own', async () => {
  const { url, adminUrl, close } = await startManagedAmqp();
  return withRights({ kind: 'embedded', url, close }, adminUrl);
});
