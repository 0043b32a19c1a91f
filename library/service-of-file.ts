import { type Running, type StartOptions, start } from './start.ts';

/**
 * A service that runs during the tests of a file: every access before that is refused with a sentence. It has all that
 * `start` returns.
 */
export interface ServiceOfFile {
  readonly service: Running;
  begin(): Promise<void>;
  end(): Promise<void>;
  /** A test begins: its accesses count from here on. */
  testBegins(): void;
  /** For the message of a failed test: how to get the same fleet again. Undefined: it has not used the service. */
  repeat(): string | undefined;
}

/** Nothing is started before `begin`. */
export function serviceOfFile(options: StartOptions): ServiceOfFile {
  let running: Running | undefined;
  let wasUsed = false;
  const service = new Proxy({} as Running, {
    get(_, name) {
      // Code that checks whether it is a promise, or prints it, is no test.
      if (typeof name === 'symbol' || name === 'then' || name === 'toJSON') return undefined;
      if (running === undefined)
        throw new Error(
          `boxtwin: "${name}" was asked for while no service is running. It is there in tests and in hooks that come after it, not while tests are collected.`,
        );
      wasUsed = true;
      return running[name as keyof Running];
    },
  });
  const { seed = 1 } = options;
  return {
    service,
    async begin() {
      running = await start({ ...options, seed });
    },
    async end() {
      await running?.stop();
      running = undefined;
    },
    testBegins() {
      wasUsed = false;
    },
    repeat: () => (wasUsed ? `boxtwin: the fleet of this test is that of seed ${seed}` : undefined),
  };
}
