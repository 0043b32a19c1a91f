import { callContract } from './amqp-consumer-calls.ts';
import { consumingContract } from './amqp-consumer-consuming.ts';
import { refusalContract } from './amqp-consumer-contract.ts';
import { messageContract } from './amqp-consumer-messages.ts';
import { patternContract, toolContract } from './amqp-consumer-patterns.ts';
import { queueContract } from './amqp-consumer-queues.ts';
import { rightsContract } from './amqp-consumer-rights.ts';
import { embeddedRightsStage, embeddedStage } from './amqp-consumer-stages.ts';

callContract('the embedded AMQP broker', embeddedStage);
refusalContract('the embedded AMQP broker', embeddedStage);
messageContract('the embedded AMQP broker', embeddedStage);
queueContract('the embedded AMQP broker', embeddedStage);
consumingContract('the embedded AMQP broker', embeddedStage);
patternContract('the embedded AMQP broker', embeddedStage);
rightsContract('the embedded AMQP broker', embeddedRightsStage);
await toolContract('the embedded AMQP broker', embeddedStage);
