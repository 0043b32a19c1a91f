import { describe, expect, test } from 'vitest';
import { toAmqpMessage } from '../../backend/events/amqp-message.ts';
import { asyncApiDocument } from '../../backend/http/openapi/asyncapi.ts';
import {
  type MessagesDocument,
  makeMessageValidator,
  type ObservedMessage,
} from '../../judge/certify/message-validator.ts';
import { openVirtualWorld } from '../../world/virtual-world.ts';
import { exampleMessages } from '../support/asyncapi/example-messages.ts';
import { takeMessageFindings } from '../support/asyncapi/observe-messages.ts';

const document = asyncApiDocument({ baseUrl: 'http://service.test' }) as unknown as MessagesDocument;
const validator = makeMessageValidator(document);
const [example] = exampleMessages();
if (example === undefined) throw new Error('There is no example.');
const right = toAmqpMessage(example);

interface Body {
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly data: Readonly<Record<string, unknown>>;
}
/** The example with another body. */
function withBody(change: (body: Body) => unknown): ObservedMessage {
  const body = change(JSON.parse(example?.body ?? '') as Body);
  return { ...right, body: new TextEncoder().encode(JSON.stringify(body)) };
}

describe('the validator of messages', () => {
  test('finds nothing in messages as they are made', () => {
    for (const message of exampleMessages())
      expect(validator.findings(toAmqpMessage(message)), message.name).toEqual([]);
  });

  test.each<[string, ObservedMessage, RegExp]>([
    ['a message', { ...right, routingKey: 'BERLIN.Other' }, /No message Other is declared/],
    ['a header', { ...right, headers: { ...right.headers, 'X-Other': '1' } }, /headers.*X-Other/],
    ['the lack of a header', { ...right, headers: {} }, /headers.*Flow-ID/],
    [
      'a value of a header',
      { ...right, headers: { ...right.headers, 'Flow-ID': 'another' } },
      /Flow-ID is another/,
    ],
    ['a type', { ...right, type: 'service.Other' }, /type is service\.Other/],
    ['an id', { ...right, messageId: undefined }, /message id is undefined/],
    ['a time', { ...right, timestampS: 1 }, /timestamp is 1/],
    ['a media type', { ...right, contentType: 'text/plain' }, /content type/],
    ['a routing key', { ...right, routingKey: 'OTHER1.VehicleStateReceived' }, /routing key/],
    ['a body', { ...right, body: Uint8Array.of(0x7b) }, /no JSON/],
    ['a property of the envelope', withBody((body) => ({ ...body, more: 1 })), /body.*more/],
    [
      'a property of the data',
      withBody((body) => ({ ...body, data: { ...body.data, more: 1 } })),
      /data.*more/,
    ],
    [
      'a property of the vehicle',
      withBody((body) => ({
        ...body,
        data: { ...body.data, vehicle_state: { hat: { timestamp: '2026-03-02T09:15:11Z', value: 1 } } },
      })),
      /vehicle_state.*hat/,
    ],
    [
      'a value',
      withBody((body) => ({ ...body, data: { ...body.data, vehicle_id: 'X' } })),
      /vehicle_id must NOT have fewer/,
    ],
  ])('finds %s that is not declared', (_name, wrong, finding) => {
    expect(validator.findings(wrong).join(' ')).toMatch(finding);
  });
});

describe('the observer of messages', () => {
  test('sees what a test publishes to the exchange of the service, and only that', () => {
    const { amqpBroker } = openVirtualWorld({ seed: 1 });
    amqpBroker.publish(right);
    amqpBroker.publish({ ...right, exchange: 'another', body: new Uint8Array() });
    expect(takeMessageFindings()).toEqual([]);
    amqpBroker.publish({ ...right, headers: {} });
    expect(takeMessageFindings().join(' ')).toMatch(/BERLIN\.VehicleStateReceived.*Flow-ID/);
  });
});
