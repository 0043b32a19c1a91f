import { createServer } from 'node:net';
import process from 'node:process';

/**
 * The ports are below those that Linux gives to outgoing connections (32768 to 60999, ip_local_port_range): a port
 * that the system draws itself can be taken by any connection before the test listens on it.
 */
const FIRST_PORT = 20_000;
/** Test processes that run side by side have identifiers near each other, thus ports of their own. */
const PROCESSES = 240;
const PORTS_A_PROCESS = 50;

let drawn = 0;

/** A port of 127.0.0.1 on which nothing listens now, and that no other test draws; rejects where none is free. */
export async function freePort(): Promise<number> {
  const first = FIRST_PORT + (process.pid % PROCESSES) * PORTS_A_PROCESS;
  for (let tried = 0; tried < PORTS_A_PROCESS; tried += 1) {
    const port = first + (drawn % PORTS_A_PROCESS);
    drawn += 1;
    if (await isFree(port)) return port;
  }
  throw new Error(`Ports ${first} to ${first + PORTS_A_PROCESS - 1} are all taken.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen({ host: '127.0.0.1', port }, () => server.close(() => resolve(true)));
  });
}
