import { z } from 'zod';
import { type HttpServer, LOOPBACK, serveHttp } from '../../deployment/http/http-server.ts';
import type { EventLog } from './event-log.ts';
import { limits } from './limits.ts';

const storedBody = z.strictObject({
  message_id: z.string().min(1).max(100),
  held: z
    .record(z.string(), z.iso.datetime({ offset: true }))
    .refine((held) => Object.keys(held).length <= limits.witnessProperties, 'too many properties')
    .optional(),
});

const EXAMPLE =
  '{"message_id": "01J...", "held": {"central_lock": "2026-01-31T12:00:00Z"}}; "held" may be left out';

/**
 * Receives a client's reports of stored messages, which cannot be observed from outside: `POST /stored` after it has
 * stored one, and before it acknowledges it.
 */
export async function startWitness(log: EventLog): Promise<HttpServer & { readonly url: string }> {
  const server = await serveHttp({ port: 0 }, async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname !== '/stored') return refusal(404, 'There is POST /stored here, and nothing else.');
    if (request.method !== 'POST') return refusal(405, 'Use POST.');
    const text = await request.text();
    if (text.length > limits.witnessBytes) return refusal(413, 'The body is too large.');
    const parsed = storedBody.safeParse(jsonOf(text));
    if (!parsed.success) {
      const faults = parsed.error.issues.map(
        ({ path, message }) => `${path.join('.') || 'body'}: ${message}`,
      );
      return refusal(400, `${faults.join('; ')}. For example: ${EXAMPLE}`);
    }
    const { message_id: messageId, held } = parsed.data;
    log.add({
      kind: 'stored',
      messageId,
      ...(held === undefined
        ? {}
        : { held: Object.fromEntries(Object.entries(held).map(([name, at]) => [name, Date.parse(at)])) }),
    });
    return new Response(null, { status: 204 });
  });
  return { ...server, url: `http://${LOOPBACK}:${server.port}` };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refusal(status: number, detail: string): Response {
  return Response.json({ status, detail }, { status });
}
