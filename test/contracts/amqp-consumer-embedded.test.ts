import { embeddedBroker, embeddedBrokerWithRights } from '../support/amqp/contract-brokers.ts';
import { callContract } from './amqp-consumer-calls.ts';
import { consumingContract } from './amqp-consumer-consuming.ts';
import { refusalContract } from './amqp-consumer-contract.ts';
import { messageContract } from './amqp-consumer-messages.ts';
import { patternContract, toolContract } from './amqp-consumer-patterns.ts';
import { queueContract } from './amqp-consumer-queues.ts';
import { quorumContract } from './amqp-consumer-quorum.ts';
import { rightsContract } from './amqp-consumer-rights.ts';

callContract('the embedded AMQP broker', embeddedBroker);
refusalContract('the embedded AMQP broker', embeddedBroker);
messageContract('the embedded AMQP broker', embeddedBroker);
queueContract('the embedded AMQP broker', embeddedBroker);
quorumContract('the embedded AMQP broker', embeddedBroker);
consumingContract('the embedded AMQP broker', embeddedBroker);
patternContract('the embedded AMQP broker', embeddedBroker);
rightsContract('the embedded AMQP broker', embeddedBrokerWithRights);
await toolContract('the embedded AMQP broker', embeddedBroker);
