import { type AmqpField, type AmqpTable, textField } from '../../../../brokers/amqp/codec/fields.ts';
import type { ProgramChannel, ProgramConnection } from './connection.ts';
import type { Arguments, ClientProgram, ProgramStep } from './program.ts';

/** Sends the steps of a program, with names that begin with the prefix of the run. */
export class StepSender {
  readonly #program: ClientProgram;
  readonly #prefix: string;
  #published = 0;

  constructor(program: ClientProgram, prefix: string) {
    this.#program = program;
    this.#prefix = prefix;
  }

  /** Sends what a step says, and waits for an answer only where an end is one. */
  async send(step: ProgramStep, connection: ProgramConnection, channel: ProgramChannel): Promise<void> {
    const { number } = channel;
    switch (step.does) {
      case 'declare-queue':
        this.#declareQueue(step, connection, number);
        return;
      case 'delete-queue': {
        const { ifUnused, ifEmpty } = step;
        connection.send(number, 'queue.delete', { queue: this.#queue(step.queue), ifUnused, ifEmpty });
        return;
      }
      case 'purge':
        connection.send(number, 'queue.purge', { queue: this.#queue(step.queue) });
        return;
      case 'declare-exchange':
        this.#declareExchange(step, connection, number);
        return;
      case 'delete-exchange':
        connection.send(number, 'exchange.delete', {
          exchange: this.#exchange(step.exchange),
          ifUnused: step.ifUnused,
        });
        return;
      case 'bind':
      case 'unbind':
        this.#bind(step, connection, number);
        return;
      case 'publish':
        this.#publish(step, connection, channel);
        return;
      case 'consume': {
        const { tag, prefetch, noAck, exclusive } = step;
        if (prefetch !== undefined) connection.send(number, 'basic.qos', { prefetchCount: prefetch });
        const queue = this.#queue(step.queue);
        if (!channel.consumers.has(tag)) channel.consumers.set(tag, { queue, noAck });
        const args = this.#table(step.args);
        connection.send(number, 'basic.consume', {
          queue,
          consumerTag: tag,
          noAck,
          exclusive,
          arguments: args,
        });
        return;
      }
      case 'cancel':
        connection.send(number, 'basic.cancel', { consumerTag: step.tag });
        channel.consumers.delete(step.tag);
        return;
      case 'qos':
        connection.send(number, 'basic.qos', { prefetchCount: step.count, global: step.global });
        return;
      case 'get':
        channel.read = { queue: this.#queue(step.queue), noAck: step.noAck };
        connection.send(number, 'basic.get', { queue: this.#queue(step.queue), noAck: step.noAck });
        return;
      case 'ack':
      case 'nack':
      case 'reject':
        settleHeld(step, connection, channel);
        return;
      case 'recover':
      case 'recover-async':
        channel.held.clear();
        connection.send(number, `basic.${step.does}`, { requeue: step.requeue });
        return;
      case 'confirm':
        if (channel.nextPublishTag === 0) channel.nextPublishTag = 1;
        connection.send(number, 'confirm.select', {});
        return;
      case 'close-channel':
        await connection.closeChannel(channel);
        return;
      case 'close-connection':
        await connection.close();
        return;
      case 'cut':
        connection.cut();
        return;
      case 'idle':
        return;
    }
  }

  #declareQueue(
    { queue, how }: Extract<ProgramStep, { does: 'declare-queue' }>,
    connection: ProgramConnection,
    channel: number,
  ): void {
    const definition = this.#program.queues[queue];
    if (definition === undefined) return;
    const { durable, exclusive, autoDelete } = definition;
    const args = new Map(this.#table(definition.args));
    if (how === 'other-arguments') args.set('x-max-length', { type: 'I', value: 7 });
    connection.send(channel, 'queue.declare', {
      queue: this.#queue(queue),
      passive: how === 'passive',
      durable: durable !== (how === 'other-durable'),
      exclusive,
      autoDelete: autoDelete !== (how === 'other-auto-delete'),
      arguments: args,
    });
  }

  #declareExchange(
    { exchange, how }: Extract<ProgramStep, { does: 'declare-exchange' }>,
    connection: ProgramConnection,
    channel: number,
  ): void {
    const definition = this.#program.exchanges[exchange];
    if (definition === undefined) return;
    const { type, durable, autoDelete, internal, args } = definition;
    connection.send(channel, 'exchange.declare', {
      exchange: this.#exchange(exchange),
      type: how === 'other-type' ? (type === 'topic' ? 'fanout' : 'topic') : type,
      passive: how === 'passive',
      durable: durable !== (how === 'other-durable'),
      autoDelete,
      internal,
      arguments: this.#table(args),
    });
  }

  #bind(
    { does, exchange, to, key, args }: Extract<ProgramStep, { does: 'bind' | 'unbind' }>,
    connection: ProgramConnection,
    channel: number,
  ): void {
    const more = { routingKey: key, arguments: this.#table(args) };
    const source = this.#exchange(exchange);
    if (to.kind === 'queue')
      connection.send(channel, `queue.${does}`, {
        queue: this.#queue(to.number),
        exchange: source,
        ...more,
      });
    else
      connection.send(channel, `exchange.${does}`, {
        destination: this.#exchange(to.number),
        source,
        ...more,
      });
  }

  #publish(
    step: Extract<ProgramStep, { does: 'publish' }>,
    connection: ProgramConnection,
    channel: ProgramChannel,
  ): void {
    const { key, mandatory, expiration, persistent, bodyBytes, properties } = step;
    const exchange = step.exchange < 0 ? '' : this.#exchange(step.exchange);
    for (let left = step.count; left > 0; left--) {
      if (channel.nextPublishTag > 0) channel.unconfirmed.add(channel.nextPublishTag++);
      const body = `m${this.#published++}`.padEnd(bodyBytes, '.').slice(0, Math.max(bodyBytes, 0));
      const headers = this.#table(step.headers);
      connection.publish(channel.number, { exchange, routingKey: this.#own(key), mandatory }, body, {
        ...properties,
        ...(headers.size === 0 ? {} : { headers }),
        ...(persistent ? { deliveryMode: 2 } : {}),
        ...(expiration === undefined ? {} : { expiration }),
      });
    }
  }

  #queue(number: number): string {
    return `${this.#prefix}q${number}`;
  }

  #exchange(number: number): string {
    return `${this.#prefix}x${number}`;
  }

  #own(text: string): string {
    return text.replace('~', this.#prefix);
  }

  #table(args: Arguments): AmqpTable {
    const fields = Object.entries(args).flatMap(([name, value]): [string, AmqpField][] =>
      value === undefined ? [] : [[name, this.#field(value)]],
    );
    return new Map(fields);
  }

  #field(value: string | number | boolean | readonly string[]): AmqpField {
    if (typeof value === 'string') return textField(this.#own(value));
    if (typeof value === 'number') return { type: 'I', value };
    if (typeof value === 'boolean') return { type: 't', value };
    return { type: 'A', value: value.map((each) => textField(this.#own(each))) };
  }
}

/** Settles what a channel holds; nothing where it holds nothing. */
function settleHeld(
  { does, which, multiple, requeue }: Extract<ProgramStep, { does: 'ack' | 'nack' | 'reject' }>,
  connection: ProgramConnection,
  { number, held, highestTag }: ProgramChannel,
): void {
  const tags = [...held.keys()];
  const chosen =
    which === 'unknown' ? highestTag + 3 : which === 'all' ? 0 : tags[which % Math.max(1, tags.length)];
  if (chosen === undefined) return;
  const isMultiple = does !== 'reject' && (multiple || which === 'all');
  for (const tag of tags)
    if (tag === chosen || (isMultiple && (tag < chosen || chosen === 0))) held.delete(tag);
  const deliveryTag = BigInt(chosen);
  if (does === 'ack') connection.send(number, 'basic.ack', { deliveryTag, multiple: isMultiple });
  else if (does === 'nack')
    connection.send(number, 'basic.nack', { deliveryTag, multiple: isMultiple, requeue });
  else connection.send(number, 'basic.reject', { deliveryTag, requeue });
}
