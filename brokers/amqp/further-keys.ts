import { type AmqpField, type AmqpTable, textField, textOf } from './codec/fields.ts';
import { type AmqpProperties, decodeProperties, encodeProperties } from './codec/properties.ts';
import type { BrokerMessage } from './state.ts';

/** Routing keys that a publisher names in the header BCC: the broker goes by them, and no client sees them. */
export function hiddenKeysOf({ headers }: AmqpProperties): readonly string[] {
  return texts(headers?.get('BCC'));
}

/** The routing key of a publication with those of its headers CC and BCC (RabbitMQ's sender-selected distribution). */
export function routingKeysOf(
  routingKey: string,
  headers: AmqpTable | undefined,
  hiddenKeys: readonly string[],
): readonly string[] {
  return [routingKey, ...texts(headers?.get('CC')), ...hiddenKeys];
}

function texts(field: AmqpField | undefined): readonly string[] {
  return field?.type === 'A' ? field.value.map(textOf).filter((each) => each !== undefined) : [];
}

/** The properties as clients receive them. `encoded` are the same properties as bytes. */
export function withoutBcc(properties: AmqpProperties, encoded: Uint8Array): Uint8Array {
  if (properties.headers?.has('BCC') !== true) return encoded;
  const headers = new Map(properties.headers);
  headers.delete('BCC');
  return encodeProperties({ ...properties, headers });
}

/** The properties of a message as its file keeps them: with the keys that clients do not see. */
export function withBcc({
  properties,
  hiddenKeys,
}: Pick<BrokerMessage, 'properties' | 'hiddenKeys'>): Uint8Array {
  const decoded = decodeProperties(properties);
  if (hiddenKeys.length === 0 || 'malformed' in decoded) return new Uint8Array(properties);
  const headers = new Map(decoded.headers);
  headers.set('BCC', { type: 'A', value: hiddenKeys.map(textField) });
  return encodeProperties({ ...decoded, headers });
}

/** What the file keeps, as properties for clients and the keys that they do not see. */
export function fromStored(stored: Uint8Array): Pick<BrokerMessage, 'properties' | 'hiddenKeys'> {
  const decoded = decodeProperties(stored);
  if ('malformed' in decoded) return { properties: stored, hiddenKeys: [] };
  return { properties: withoutBcc(decoded, stored), hiddenKeys: hiddenKeysOf(decoded) };
}
