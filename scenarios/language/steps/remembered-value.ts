import { z } from 'zod';
import { type JsonSchema, PUBLISHED_FORMS } from '../document/keyed.ts';

const REMEMBERED = /^\{[A-Za-z0-9][\w-]*\}$/;

/** Marks it for a generator, which draws values, and none that an earlier step has to remember. */
export const REMEMBERED_PATTERN = REMEMBERED.source;

/**
 * A value of that schema, or the name in braces of a remembered one, which replaces it before the comparison. Errors
 * are those of the schema, which transforms nothing. Whether a call remembers that name is checked with the
 * expectations (scenarios/language/expectations/check-patterns.ts).
 */
export function orRemembered<T>(schema: z.ZodType<T, T>): z.ZodType<T, T> {
  const either = z.unknown().check((context) => {
    const { value } = context;
    if (isRememberedName(value)) return;
    for (const issue of schema.safeParse(value).error?.issues ?? [])
      context.issues.push({ ...issue, input: value } as z.core.$ZodRawIssue);
  });
  PUBLISHED_FORMS.set(either, ({ description }) => {
    const { $schema: _dialect, ...own } = z.toJSONSchema(schema, {
      io: 'input',
      target: 'draft-7',
      override: ({ zodSchema, jsonSchema }) => {
        const also = PUBLISHED_FORMS.get(zodSchema);
        if (also !== undefined) Object.assign(jsonSchema, also({ ...jsonSchema }));
      },
    });
    const name = { type: 'string', pattern: REMEMBERED_PATTERN } as const;
    return {
      ...(description === undefined ? {} : { description }),
      anyOf: [own as JsonSchema, name],
    };
  });
  return either as unknown as z.ZodType<T, T>;
}

/** Whether a text is nothing but a name in braces. */
export function isRememberedName(value: unknown): value is string {
  return typeof value === 'string' && REMEMBERED.test(value);
}
