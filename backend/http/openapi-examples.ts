import EXAMPLES from './openapi-examples.json' with { type: 'json' };

/** What an operation was sent and answered with, by media type; the answer's by its status before that. */
export interface RecordedCall {
  body?: Record<string, unknown>;
  answers: Record<string, Record<string, unknown>>;
}

/** What a body or an answer holds, by media type. */
type Content = Readonly<Record<string, object | undefined>>;

const recorded = EXAMPLES as Readonly<Record<string, RecordedCall>>;

/** What passed between a client and the service when test/openapi/recording.ts made this call; undefined: it did not. */
export function recordedCall(method: string, path: string): RecordedCall | undefined {
  return recorded[`${method.toUpperCase()} ${path}`];
}

/** Each media type with the example that was recorded of it. */
export function withExamples<C extends Content>(
  content: C,
  examples: Record<string, unknown> | undefined,
): C {
  if (examples === undefined) return content;
  return Object.fromEntries(
    Object.entries(content).map(([mediaType, media]) => [
      mediaType,
      Object.hasOwn(examples, mediaType) ? { ...media, example: examples[mediaType] } : media,
    ]),
  ) as C;
}
