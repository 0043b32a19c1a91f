import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { waitUntil } from '../run/external-services.ts';
import { PROGRAM } from '../run/product.ts';
import { limits } from './limits.ts';
import { isOk, type Node, startNode } from './node.ts';

/**
 * Starts a command of boxtwin that listens at `port`, such as `backend`, and resolves once it answers at `path`. `restart`
 * starts it again until it serves, as a supervisor does: what it needs may be away.
 */
export async function startBoxtwin(plan: {
  readonly name: string;
  readonly args: readonly string[];
  readonly folder: string;
  readonly port: number;
  /** Answered with 200 once it serves. */
  readonly path: string;
}): Promise<Node> {
  const { name, args, folder, port, path } = plan;
  const node = await startNode({
    name,
    folder,
    program: process.execPath,
    args: [PROGRAM, ...args],
    // They start many times, and compiling is the most of that.
    environment: { NODE_COMPILE_CACHE: join(tmpdir(), 'boxtwin-compile-cache') },
    serves: () => isOk(`http://127.0.0.1:${port}${path}`),
  });
  return {
    name,
    get log() {
      return node.log;
    },
    kill: () => node.kill(),
    stop: () => node.stop(),
    restart: () =>
      waitUntil(
        () =>
          node.restart().then(
            () => true,
            () => false,
          ),
        limits.startMs,
      ),
  };
}
