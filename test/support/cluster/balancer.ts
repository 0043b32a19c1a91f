import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileOnPage } from '../docs/page-files.ts';
import { freePort } from '../run/free-port.ts';
import { type Node, startNode } from './node.ts';

export interface Balancer extends Node {
  /** Where clients call. */
  readonly url: string;
}

const PAGE = 'docs/scaling.md';

/**
 * Starts HAProxy with the settings of docs/scaling.md before these backends of HTTP, which take turns while their
 * `/health/ready` answers 200. Resolves once one of them is called; rejects where it does not start. `stop` also removes its folder.
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
    name: 'balancer',
    program,
    args,
    folder,
    // It answers by itself where no backend serves; that it does so is enough.
    serves: async () => (await fetch(`${url}/health/live`)).status > 0,
  }).catch((error: unknown) => {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  });
  return {
    name: node.name,
    url,
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

/** The file of the page, with this machine's places in it. */
function settingsOf(
  port: number,
  backends: readonly { readonly name: string; readonly port: number }[],
): string {
  const text = fileOnPage(PAGE, 'haproxy.cfg').replace('bind :80', `bind 127.0.0.1:${port}`);
  const lines = text.split('\n');
  const isServer = (line: string): boolean => line.startsWith('  server ');
  const [first, ...others] = lines.filter(isServer);
  if (first === undefined) throw new Error(`${PAGE} has no servers.`);
  const ofAll = [first, ...others.filter((line) => line.includes('anyway-1'))].flatMap((line) =>
    backends.map(({ name, port: at }) =>
      line
        .replace('backend-1:8080', `127.0.0.1:${at}`)
        .replace('backend-1', name)
        .replace('anyway-1', `${name}-anyway`),
    ),
  );
  return lines.flatMap((line) => (line === first ? ofAll : isServer(line) ? [] : [line])).join('\n');
}
