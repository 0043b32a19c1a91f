import { serveHttp } from '../../../deployment/http/http-server.ts';

/** A charge as it came; `key` is its Idempotency-Key. */
export interface Charge {
  readonly key: string;
  readonly cents: number;
}

export interface PaymentService {
  readonly url: string;
  /** All charges that came, repetitions too. */
  readonly charges: readonly Charge[];
  close(): Promise<void>;
}

/** A payment service that takes each charge, and loses its first answer to each key. */
export async function startPaymentService(): Promise<PaymentService> {
  const charges: Charge[] = [];
  const server = await serveHttp({ port: 0 }, async (request) => {
    const key = request.headers.get('idempotency-key') ?? '';
    const isFirst = !charges.some((one) => one.key === key);
    const { cents } = (await request.json()) as { readonly cents: number };
    charges.push({ key, cents });
    return new Response(null, { status: isFirst ? 503 : 204 });
  });
  return { url: `http://127.0.0.1:${server.port}/`, charges, close: () => server.close() };
}
