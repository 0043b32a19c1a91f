import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { messageFromParent } from '../measure/children.ts';

/** Hono alone, which answers every GET with the bytes that it was told. Tells its port. */
const { body, contentType } = await messageFromParent<{
  readonly body: string;
  readonly contentType: string;
}>();
const app = new Hono();
app.get('*', (c) => c.body(body, 200, { 'content-type': contentType }));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.send?.({ port });
});
