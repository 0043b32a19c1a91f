/** Functions of one object that a virtual run must not call. */
export interface Ban {
  /** The prefix of the functions' names in an error: `fs.`; empty for globals. */
  readonly prefix: string;
  /** The object that holds them; undefined where this version of Node has none. */
  readonly holder: () => object | undefined;
  /**
   * By name, or all functions that the object itself has (without constructors, which begin with a capital).
   */
  readonly names: readonly string[] | 'all';
  /** What to use instead. */
  readonly instead: string;
}

const TIME = 'world.time';
const CHANCE = 'world.random or world.ids';
const CRYPTO = 'world.crypto';
const FILES = 'world.flash, or do it before the run';
const NETWORK = 'world.mqtt, world.amqp or world.http';
const NOTHING = 'nothing: a virtual run is one thread of one process';

const TIMERS = ['setTimeout', 'setInterval', 'setImmediate'];

/**
 * All functions through which the real clock, real chance, real sockets, files and threads enter a program.
 * Math.random and Date are not here: the virtual world answers them instead of refusing them.
 */
export const BANS: readonly Ban[] = [
  { prefix: '', holder: () => globalThis, names: TIMERS, instead: TIME },
  builtin('timers', TIMERS, TIME),
  builtin('timers/promises', TIMERS, TIME),
  { prefix: 'AbortSignal.', holder: () => AbortSignal, names: ['timeout'], instead: TIME },
  { prefix: 'performance.', holder: () => performance, names: ['now', 'mark', 'measure'], instead: TIME },
  { prefix: 'process.', holder: () => process, names: ['hrtime', 'uptime'], instead: TIME },
  { prefix: 'process.hrtime.', holder: () => process.hrtime, names: ['bigint'], instead: TIME },
  builtin(
    'crypto',
    [
      'randomBytes',
      'pseudoRandomBytes',
      'prng',
      'rng',
      'randomFill',
      'randomFillSync',
      'randomInt',
      'randomUUID',
      'randomUUIDv7',
      'getRandomValues',
      'generateKey',
      'generateKeySync',
      'generateKeyPair',
      'generateKeyPairSync',
      'generatePrime',
      'generatePrimeSync',
    ],
    CHANCE,
  ),
  // Other threads carry these out, and their duration varies.
  builtin('crypto', ['scrypt', 'pbkdf2', 'hkdf', 'checkPrime', 'argon2'], CRYPTO),
  {
    prefix: 'crypto.',
    holder: () => prototypeOf('Crypto'),
    names: ['getRandomValues', 'randomUUID'],
    instead: CHANCE,
  },
  { prefix: 'crypto.subtle.', holder: () => prototypeOf('SubtleCrypto'), names: 'all', instead: CRYPTO },
  builtin(
    'zlib',
    [
      'deflate',
      'deflateRaw',
      'gzip',
      'unzip',
      'inflate',
      'inflateRaw',
      'gunzip',
      'brotliCompress',
      'brotliDecompress',
    ],
    'the Sync form',
  ),
  builtin('fs', 'all', FILES),
  builtin('fs/promises', 'all', FILES),
  builtin('net', ['connect', 'createConnection', 'createServer'], NETWORK),
  { prefix: 'net.Socket.', holder: () => classOf('net', 'Socket'), names: ['connect'], instead: NETWORK },
  { prefix: 'net.Server.', holder: () => classOf('net', 'Server'), names: ['listen'], instead: NETWORK },
  builtin('tls', ['connect', 'createServer'], NETWORK),
  builtin('dgram', ['createSocket'], NETWORK),
  builtin('http', ['request', 'get', 'createServer'], NETWORK),
  builtin('https', ['request', 'get', 'createServer'], NETWORK),
  builtin('http2', ['connect', 'createServer', 'createSecureServer'], NETWORK),
  builtin('dns', 'all', NETWORK),
  builtin('dns/promises', 'all', NETWORK),
  { prefix: '', holder: () => globalThis, names: ['fetch', 'WebSocket', 'EventSource'], instead: NETWORK },
  builtin('child_process', 'all', NOTHING),
  builtin('worker_threads', ['Worker', 'MessageChannel', 'BroadcastChannel'], NOTHING),
  { prefix: '', holder: () => globalThis, names: ['MessageChannel', 'BroadcastChannel'], instead: NOTHING },
];

/**
 * Types of asynchronous resources (by their names in async_hooks) that only the banned functions create. They
 * reveal a library that stored a reference to such a function before the sandbox was installed.
 */
export const BANNED_RESOURCES: ReadonlyMap<string, string> = new Map([
  ...resources(TIME, 'Timeout', 'Immediate'),
  ...resources(CHANCE, 'RANDOMBYTESREQUEST', 'KEYPAIRGENREQUEST', 'KEYGENREQUEST', 'RANDOMPRIMEREQUEST'),
  ...resources(
    CRYPTO,
    'SCRYPTREQUEST',
    'PBKDF2REQUEST',
    'HKDFREQUEST',
    'HASHREQUEST',
    'SIGNREQUEST',
    'CIPHERREQUEST',
  ),
  ...resources(FILES, 'FSREQCALLBACK', 'FSREQPROMISE', 'FILEHANDLE', 'FSEVENTWRAP', 'STATWATCHER'),
  ...resources(
    NETWORK,
    'TCPWRAP',
    'TCPSERVERWRAP',
    'TCPCONNECTWRAP',
    'PIPEWRAP',
    'PIPESERVERWRAP',
    'PIPECONNECTWRAP',
  ),
  ...resources(
    NETWORK,
    'TLSWRAP',
    'UDPWRAP',
    'UDPSENDWRAP',
    'GETADDRINFOREQWRAP',
    'GETNAMEINFOREQWRAP',
    'QUERYWRAP',
  ),
  ...resources(NOTHING, 'PROCESSWRAP', 'WORKER', 'MESSAGEPORT'),
]);

function resources(instead: string, ...types: readonly string[]): readonly (readonly [string, string])[] {
  return types.map((type) => [type, instead]);
}

function builtin(module: string, names: Ban['names'], instead: string): Ban {
  const prefix = `${module.replace('/', '.')}.`;
  return { prefix, holder: () => moduleObject(module), names, instead };
}

/** What `require` returns for a module of Node: one object shared by all importers. */
function moduleObject(module: string): object | undefined {
  return process.getBuiltinModule(module);
}

function classOf(module: string, name: string): object | undefined {
  return memberOf(memberOf(moduleObject(module), name), 'prototype');
}

function prototypeOf(name: string): object | undefined {
  return memberOf(memberOf(globalThis, name), 'prototype');
}

function memberOf(holder: object | undefined, name: string): object | undefined {
  const member: unknown = holder === undefined ? undefined : Reflect.get(holder, name);
  return (typeof member === 'object' && member !== null) || typeof member === 'function' ? member : undefined;
}
