import { rabbitmqManagement, withService } from '../support/run/external-services.ts';
import { managementContract } from './management-contract.ts';
import { rabbitAccountsContract } from './rabbit-accounts-contract.ts';

await withService(rabbitmqManagement, ({ url, adminUrl }) => {
  const open = () => Promise.resolve({ url, adminUrl, close: () => Promise.resolve() });
  rabbitAccountsContract('RabbitMQ', open);
  managementContract('RabbitMQ', open);
});
