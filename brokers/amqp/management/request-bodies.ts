import { limits } from '../../limits.ts';
import { compilePermissions, OPERATIONS, type PermissionTexts } from './permissions.ts';

/** The contents of a request, or the refusal. */
export type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly status: 400 | 413; readonly reason: string };

type Members = Readonly<Record<string, unknown>>;

/** The members of a JSON object. The media type does not matter, as at RabbitMQ. Never rejects. */
export async function readObject(request: Request): Promise<Read<Members>> {
  const bytes = await boundedBytes(request).catch(() => undefined);
  if (bytes === undefined) return invalid('not_json');
  if (bytes === 'too-large')
    return { ok: false, status: 413, reason: `a body has at most ${limits.users.bodyBytes} bytes` };
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return invalid('not_json');
    return { ok: true, value: value as Members };
  } catch {
    return invalid('not_json');
  }
}

async function boundedBytes({ headers, body }: Request): Promise<Uint8Array | 'too-large'> {
  if (Number(headers.get('content-length') ?? 0) > limits.users.bodyBytes) return 'too-large';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.byteLength;
    if (size > limits.users.bodyBytes) return 'too-large';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The password of a user without tags; only the administrator has one here. */
export function passwordOf({ password, tags }: Members): Read<string> {
  if (tags === undefined) return invalid('tags_not_present');
  const isWithoutTags = tags === '' || (Array.isArray(tags) && tags.length === 0);
  if (!isWithoutTags) return invalid('tags must be "": only the administrator of this broker has tags');
  if (typeof password !== 'string' || password === '')
    return invalid('password must be a text that is not empty; password_hash is not supported');
  if (password.length > limits.users.passwordCharacters)
    return invalid(`password has more than ${limits.users.passwordCharacters} characters`);
  // It could not be sent at an AMQP sign-in (RFC 4616).
  if (password.includes('\0')) return invalid('password has a NUL character');
  return { ok: true, value: password };
}

/** The three expressions, checked. */
export function permissionsOf(members: Members): Read<PermissionTexts> {
  const { configure, write, read } = members;
  const missing = OPERATIONS.filter((operation) => members[operation] === undefined);
  if (missing.length > 0) return invalid(`[${missing.map((name) => `{key_missing,${name}}`).join(',')}]`);
  if (typeof configure !== 'string' || typeof write !== 'string' || typeof read !== 'string')
    return invalid('configure, write and read must be texts');
  const compiled = compilePermissions({ configure, write, read });
  return compiled.ok
    ? { ok: true, value: { configure, write, read } }
    : invalid(`${compiled.operation} ${compiled.reason}`);
}

function invalid(reason: string): Read<never> {
  return { ok: false, status: 400, reason };
}
