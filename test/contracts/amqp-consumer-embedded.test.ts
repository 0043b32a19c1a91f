import { consumingContract } from './amqp-consumer-consuming.ts';
import { refusalContract } from './amqp-consumer-contract.ts';
import { messageContract } from './amqp-consumer-messages.ts';
import { patternContract, toolContract } from './amqp-consumer-patterns.ts';
import { queueContract } from './amqp-consumer-queues.ts';
import { embeddedStage } from './amqp-consumer-stages.ts';

refusalContract('the embedded AMQP broker', embeddedStage);
messageContract('the embedded AMQP broker', embeddedStage);
queueContract('the embedded AMQP broker', embeddedStage);
consumingContract('the embedded AMQP broker', embeddedStage);
patternContract('the embedded AMQP broker', embeddedStage);
await toolContract('the embedded AMQP broker', embeddedStage);
