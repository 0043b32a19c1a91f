import { type Running, type StartOptions, start } from './start.ts';

/**
 * A service that is there while the tests of a file run: whatever is asked of it before is refused with a sentence. It has
 * all that `start` gives.
 */
export interface ServiceOfFile {
  readonly service: Running;
  begin(): Promise<void>;
  end(): Promise<void>;
  /** A test begins: what it uses counts from here on. */
  testBegins(): void;
  /** For the message of a test that fails: how to have the same fleet again. Undefined: it has not used the service. */
  repeat(): string | undefined;
}

/** Nothing is started before `begin`. */
export function serviceOfFile(options: StartOptions): ServiceOfFile {
  let running: Running | undefined;
  let wasUsed = false;
  const service = new Proxy({} as Running, {
    get(_, name) {
      // Whoever looks whether it is a promise, or prints it, is no test.
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
