import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Undeclared } from './answer-validator.ts';
import { closedSchema, type JsonSchema } from './closed-schema.ts';

/** A message on its way to the exchange or to a consumer. */
export interface ObservedMessage {
  readonly routingKey: string;
  readonly body: Uint8Array;
  readonly messageId: string | undefined;
  readonly type: string | undefined;
  /** Seconds since 1970. */
  readonly timestampS: number | undefined;
  readonly contentType: string | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
}

export interface MessagesDocument {
  readonly channels: Readonly<Record<string, { readonly address: string }>>;
  readonly components: {
    readonly messages: Readonly<
      Record<string, { readonly name: string; readonly contentType: string; readonly headers: JsonSchema }>
    >;
    readonly schemas: Readonly<Record<string, JsonSchema>>;
  };
}

export interface MessageValidator {
  /** The deviations of a message from the document, one English sentence each; empty: it is valid. */
  findings(message: ObservedMessage): readonly string[];
}

interface Envelope {
  readonly metadata: Readonly<Record<string, string>>;
  readonly data: { readonly fleet_id: string };
}

/**
 * Checks messages against an AsyncAPI document; with closed schemas where undeclared properties are refused: consumers
 * must accept them, and the service of this project must not send any.
 */
export function makeMessageValidator(
  document: MessagesDocument,
  undeclared: Undeclared = 'refused',
): MessageValidator {
  // To optimize the code of a schema takes longer than that saves.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  formats.default(ajv);
  const compiled = new Map<JsonSchema, ValidateFunction>();
  const faults = (schema: JsonSchema, value: unknown, what: string): readonly string[] => {
    const isValid =
      compiled.get(schema) ??
      ajv.compile(undeclared === 'refused' ? closedSchema(schema, noReference) : schema);
    compiled.set(schema, isValid);
    if (isValid(value)) return [];
    return (isValid.errors ?? []).map(
      ({ instancePath, message, params }) =>
        `Its ${what}${instancePath} ${message ?? 'is wrong'}: ${JSON.stringify(params)}.`,
    );
  };

  return {
    findings(message) {
      const [fleetId = '', name = ''] = message.routingKey.split('.');
      const declared = document.components.messages[name];
      const schema = document.components.schemas[name];
      if (declared === undefined || schema === undefined)
        return [`No message ${name || '(without a name)'} is declared.`];
      const ofHeaders = faults(declared.headers, message.headers, 'headers');
      let body: unknown;
      try {
        body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(message.body));
      } catch {
        return [...ofHeaders, 'Its body is no JSON in UTF-8.'];
      }
      const ofBody = faults(schema, body, 'body');
      if (ofBody.length > 0) return [...ofHeaders, ...ofBody];
      const { metadata, data } = body as Envelope;
      const occurredS = Date.parse(metadata['occurred_at'] ?? '') / 1_000;
      const pairs: readonly (readonly [what: string, is: unknown, should: unknown])[] = [
        ['routing key', message.routingKey, `${data.fleet_id}.${name}`],
        ['fleet', fleetId, data.fleet_id],
        ['content type', message.contentType, declared.contentType],
        ['type', message.type, declared.name],
        ['message id', message.messageId, metadata['message_id']],
        ['timestamp', message.timestampS, occurredS],
        ['header Flow-ID', message.headers['Flow-ID'], metadata['flow_id']],
        ['header Message-Type', message.headers['Message-Type'], metadata['message_type']],
        ['header Message-Version', message.headers['Message-Version'], metadata['version']],
      ];
      return [
        ...ofHeaders,
        ...pairs
          .filter(([, is, should]) => is !== should)
          .map(([what, is, should]) => `Its ${what} is ${String(is)}, and not ${String(should)}.`),
      ];
    },
  };
}

function noReference(reference: string): JsonSchema {
  throw new Error(`A schema refers to ${reference}; they are expected to be whole.`);
}
