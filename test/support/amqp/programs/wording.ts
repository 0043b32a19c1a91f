import { type AmqpField, type AmqpTable, textOf } from '../../../../brokers/amqp/codec/fields.ts';
import type { ReceivedMethod } from '../raw-amqp-client.ts';
import { describeAnswer } from '../refusal-script.ts';

/** A close, with class and method of the cause. */
export const wordingOfClose = (word: ReceivedMethod) => describeAnswer(word);

/** A method of a broker as one line: all its arguments, its message with all properties, and no time of day. */
export function wordingOf(word: ReceivedMethod): string {
  if (word.name === 'channel.close') return wordingOfClose(word);
  const args = Object.entries(word.args).map(([name, value]) => `${name}=${value}`);
  const { header, body } = word;
  if (header === undefined) return [word.name, ...args].join(' ');
  const properties = Object.entries(header.properties)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${name}=${value instanceof Map ? wordingOfTable(value) : value}`);
  return `${word.name} ${args.join(' ')} "${body.toString()}" [${properties.join(' ')}]`;
}

/** Keys in the order of the alphabet: a table has no order. */
function wordingOfTable(table: AmqpTable): string {
  const fields = [...table].sort(([one], [other]) => (one < other ? -1 : 1));
  return `{${fields.map(([name, field]) => `${name}:${wordingOfField(field)}`).join(',')}}`;
}

function wordingOfField(field: AmqpField): string {
  // The time of a death.
  if (field.type === 'T') return 'T';
  if (field.type === 'S') return `'${textOf(field)}'`;
  if (field.type === 'F') return wordingOfTable(field.value);
  if (field.type === 'A') return `[${field.value.map(wordingOfField).join(',')}]`;
  return 'value' in field ? `${field.type}${field.value}` : field.type;
}
