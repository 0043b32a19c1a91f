import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../run/free-port.ts';
import { type Node, startNode } from './node.ts';

export interface Balancer extends Node {
  /** Where clients call. */
  readonly url: string;
}

/**
 * Starts HAProxy before these backends of HTTP, which take turns while their `/health/ready` answers 200. Resolves once
 * one of them is called; rejects where it does not start. `stop` also removes its folder.
 */
export async function startBalancer(
  { program }: { readonly program: string },
  backends: readonly { readonly name: string; readonly port: number }[],
): Promise<Balancer> {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-balancer-'));
  const config = join(folder, 'haproxy.cfg');
  const port = await freePort();
  writeFileSync(config, settingsOf(port, backends));
  const url = `http://127.0.0.1:${port}`;
  // In the foreground, so that it is one process.
  const args = ['-db', '-f', config];
  const node = await startNode({
    ...{ name: 'balancer', program, args, folder },
    // It answers by itself where no backend serves; that it does so is enough.
    serves: async () => (await fetch(`${url}/health/live`)).status > 0,
  }).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  return {
    ...{ name: node.name, url },
    get log() {
      return node.log;
    },
    kill: () => node.kill(),
    restart: () => node.restart(),
    stop: async () => {
      await node.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function settingsOf(
  port: number,
  backends: readonly { readonly name: string; readonly port: number }[],
): string {
  return [
    'global',
    '  log stdout format raw local0',
    'defaults',
    '  mode http',
    '  log global',
    '  timeout connect 2s',
    // A command may wait for its vehicle for longer than 20 s.
    '  timeout client 60s',
    '  timeout server 60s',
    '  option forwardfor',
    // A request that no backend has seen goes to another one; one that was sent is never sent again.
    '  retries 3',
    '  retry-on conn-failure',
    '  option redispatch 1',
    'frontend api',
    `  bind 127.0.0.1:${port}`,
    '  default_backend backends',
    'backend backends',
    '  balance roundrobin',
    '  option httpchk GET /health/ready',
    '  http-check expect status 200',
    '  default-server inter 500ms fall 2 rise 1',
    ...backends.map(({ name, port: at }) => `  server ${name} 127.0.0.1:${at} check`),
    '',
  ].join('\n');
}
