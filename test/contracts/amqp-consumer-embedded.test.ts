import { refusalContract } from './amqp-consumer-contract.ts';
import { embeddedStage } from './amqp-consumer-stages.ts';

refusalContract('the embedded AMQP broker', embeddedStage);
