import { posix } from 'node:path';
import { blankOut } from './blank.ts';

export interface SourceFile {
  /** From the project's root, with slashes. */
  readonly path: string;
  readonly text: string;
}

export interface Finding {
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly isWarning: boolean;
}

/** Who may import whom. `test`, `qa` and `bin` may import everything, and nobody imports them, library or cli. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  contract: ['protocol'],
  world: [],
  brokers: ['world'],
  simulator: ['protocol', 'contract', 'world'],
  backend: ['protocol', 'contract', 'world'],
  judge: ['protocol', 'contract', 'world', 'simulator'],
  scenarios: ['protocol', 'contract', 'world', 'brokers', 'simulator', 'backend', 'judge'],
  console: ['protocol', 'contract', 'world', 'simulator', 'judge', 'scenarios'],
  deployment: [
    'protocol',
    'contract',
    'world',
    'brokers',
    'simulator',
    'backend',
    'judge',
    'scenarios',
    'console',
  ],
  library: [
    'protocol',
    'contract',
    'world',
    'brokers',
    'simulator',
    'backend',
    'judge',
    'scenarios',
    'console',
    'deployment',
  ],
  certify: [
    'protocol',
    'contract',
    'world',
    'brokers',
    'simulator',
    'backend',
    'judge',
    'scenarios',
    'console',
    'deployment',
  ],
  cli: [
    'protocol',
    'contract',
    'world',
    'brokers',
    'simulator',
    'backend',
    'judge',
    'scenarios',
    'console',
    'deployment',
    'certify',
  ],
};

export const ROOMS = Object.keys(MAY_IMPORT);

/** Where a library may be imported; a library that is not named here may be imported by no room. */
const HOMES: Readonly<Record<string, RegExp>> = {
  mqtt: /^world\/mqtt\/real-/,
  amqplib: /^world\/amqp\/real-/,
  aedes: /^brokers\//,
  'aedes-persistence': /^brokers\/mqtt\//,
  hono: /^backend\/http\/|^simulator\/(control|sim-provider|maker-cloud)\/|^brokers\/amqp\/management\/|^console\/server\//,
  '@hono/zod-openapi': /^backend\/http\/|^simulator\/control\//,
  '@hono/node-server': /^deployment\/http\//,
  '@node-oauth/oauth2-server': /^backend\/access\/oauth\//,
  'better-sqlite3': /^backend\/store\/|^world\/flash\/real-flash-file\.ts$|^brokers\/amqp\/store\//,
  kysely: /^backend\/store\/(statements|calls|postgres)\//,
  pg: /^backend\/store\/postgres\//,
  ulid: /^world\//,
  'fast-xml-parser': /^simulator\/routes\/gpx\.ts$|^scenarios\/reports\/|^cli\/commands\/certify-text\.ts$/,
  'csv-parse': /^simulator\/recorded-drives\/formats\/csv(-header)?\.ts$/,
  'prom-client': /^backend\/monitoring\//,
  '@peculiar/x509': /^brokers\/tls\//,
  ora: /^cli\//,
  leven: /^scenarios\//,
  jose: /^world\/crypto\/real-/,
  'pure-rand': /^world\//,
  pino: /^world\/log\/real-log\.ts$|^cli\//,
  commander: /^cli\//,
  picocolors: /^cli\//,
  yaml: /^(scenarios|deployment|cli)\//,
  'fast-check': /^scenarios\/explore\//,
  ajv: /^judge\/certify\/(answer|message)-validator\.ts$/,
  'ajv-formats': /^judge\/certify\/(answer|message)-validator\.ts$/,
  '#supported-node': /^library\/(start|vitest|node-test|scenario)\.ts$/,
  zod: /^(backend|simulator|judge|scenarios|deployment|certify|library|cli|brokers\/amqp\/management|console\/server)\//,
  preact: /^console\/page\//,
  '@preact/signals': /^console\/page\//,
  'maplibre-gl': /^console\/page\//,
  pmtiles: /^console\/page\//,
  codemirror: /^console\/page\/scenarios\//,
  '@codemirror/autocomplete': /^console\/page\/scenarios\//,
  '@codemirror/lang-yaml': /^console\/page\/scenarios\//,
  '@codemirror/language': /^console\/page\/scenarios\//,
  '@lezer/highlight': /^console\/page\/scenarios\//,
  '@codemirror/lint': /^console\/page\/scenarios\//,
  '@codemirror/state': /^console\/page\/scenarios\//,
  '@codemirror/view': /^console\/page\/scenarios\//,
  vitest: /^library\/vitest\.ts$/,
  '@bomb.sh/tab': /^cli\//,
  vite: /^console\/page\/build\.ts$/,
};

/** The builtins that reach outside, and where they may. Pure ones (node:zlib's crc32, node:path) stand anywhere. */
const BUILTIN_HOMES: Readonly<Record<string, RegExp>> = {
  fs: /^(world\/([a-z-]+\/)?real-|world\/sandbox\/|deployment\/|certify\/|library\/|cli\/|brokers\/|backend\/store\/)/,
  net: /^(world\/([a-z-]+\/)?real-|world\/sandbox\/|deployment\/|cli\/|brokers\/)/,
  tls: /^(world\/([a-z-]+\/)?real-|world\/sandbox\/|deployment\/|cli\/|brokers\/)/,
  // The judge of answers reads the titles of status codes.
  http: /^(world\/([a-z-]+\/)?real-|world\/sandbox\/|deployment\/|cli\/|brokers\/|judge\/certify\/answer-validator\.ts$)/,
  https: /^(world\/([a-z-]+\/)?real-|world\/sandbox\/|deployment\/|cli\/|brokers\/)/,
  dgram: /^world\/sandbox\//,
  child_process: /^(deployment|certify|cli)\//,
  timers: /^world\/(([a-z-]+\/)?real-|sandbox\/)/,
  crypto: /^(world\/|brokers\/)/,
  os: /^(world\/([a-z-]+\/)?real-|deployment\/|certify\/|library\/|cli\/)/,
  worker_threads: /^(world\/threads\/|deployment\/|cli\/)/,
};

const IMPORT = /(?:\bfrom\s*|\bimport\s*\(\s*|\bimport\s+)(['"])([\w.@#/][^'"\n]*)\1/g;

/** An import of any kind: of values, of types, in place of a type, or a re-export. */
export interface Import {
  /** As it is written: `../x.ts`, `node:fs`, `mqtt`. */
  readonly target: string;
  /** From 1. */
  readonly line: number;
}

/** Every import of a file in the order of the text; none out of comments. */
export function importsOf({ text }: Pick<SourceFile, 'text'>): readonly Import[] {
  const code = blankOut(text, { strings: false });
  return [...code.matchAll(IMPORT)].map((match) => ({
    target: match[2] ?? '',
    line: lineAt(code, match.index),
  }));
}

export function inspectImports(file: SourceFile): readonly Finding[] {
  const { path } = file;
  const room = path.split('/')[0] ?? '';
  const allowed = MAY_IMPORT[room];
  if (allowed === undefined) return [];
  return importsOf(file).flatMap(({ target, line }) => {
    const rule = judgeImport(path, room, allowed, target);
    return rule === undefined ? [] : [{ path, line, rule, isWarning: false }];
  });
}

function judgeImport(
  path: string,
  room: string,
  allowed: readonly string[],
  target: string,
): string | undefined {
  if (target.startsWith('.')) {
    const reached = posix.normalize(posix.join(posix.dirname(path), target)).split('/')[0] ?? '';
    if (reached === room || allowed.includes(reached) || reached === 'package.json') return undefined;
    return `imports ${target}, but ${room} may import ${allowed.join(', ') || 'nothing of ours'}`;
  }
  if (target.startsWith('node:')) {
    const builtin = target.slice(5).split('/')[0] ?? '';
    const home = BUILTIN_HOMES[builtin];
    return home === undefined || home.test(path)
      ? undefined
      : `imports ${target} outside its home ${home.source}`;
  }
  const library = target.startsWith('@')
    ? target.split('/').slice(0, 2).join('/')
    : (target.split('/')[0] ?? '');
  const home = HOMES[library];
  if (home === undefined) return `imports ${library}, which has no home: name one in test/tidy/rules.ts`;
  return home.test(path) ? undefined : `imports ${library} outside its home ${home.source}`;
}

interface AmbientRule {
  readonly pattern: RegExp;
  readonly instead: string;
  readonly rooms: RegExp;
  readonly home?: RegExp;
}

/** A page in a browser has no world: it has the browser's. */
const WORLD_HOME =
  /^(world\/([a-z-]+\/)?real-|world\/sandbox\/|brokers\/|deployment\/|certify\/client\/|library\/|cli\/|console\/page\/)/;
const OURS = new RegExp(`^(${ROOMS.join('|')})/`);
const SIMULATED =
  /^(protocol|contract|simulator|judge|scenarios|world\/([a-z-]+\/)?virtual-|world\/network-faults\/)/;

const AMBIENT: readonly AmbientRule[] = [
  { pattern: /\bDate\.now\b/, instead: 'ask world.time.nowMs()', rooms: OURS, home: WORLD_HOME },
  { pattern: /\bnew Date\(\s*\)/, instead: 'ask world.time.nowMs()', rooms: OURS, home: WORLD_HOME },
  { pattern: /\bperformance\.now\b/, instead: 'ask world.time.nowMs()', rooms: OURS, home: WORLD_HOME },
  {
    pattern: /\bMath\.random\b/,
    instead: 'ask world.random for a named stream',
    rooms: OURS,
    home: WORLD_HOME,
  },
  {
    pattern: /\bcrypto\.(random\w*|getRandomValues|subtle)|\brandom(Bytes|UUID|Int)\(/,
    instead: 'ask world.ids or world.crypto',
    rooms: OURS,
    home: WORLD_HOME,
  },
  {
    pattern: /\b(setTimeout|setInterval|setImmediate)\s*\(/,
    instead: 'set one alarm with world.time.alarm()',
    rooms: OURS,
    home: WORLD_HOME,
  },
  { pattern: /\bprocess\.env\b/, instead: 'take it as a setting from cli', rooms: OURS, home: WORLD_HOME },
  { pattern: /\bconsole\.\w+/, instead: 'use world.log', rooms: OURS, home: WORLD_HOME },
  {
    pattern: /\*\*|\bMath\.(pow|sin|cos|tan|asin|acos|atan2?|exp|expm1|log\w*|hypot|cbrt|sinh|cosh|tanh)\b/,
    instead: 'differs between Node versions: use simulator/arithmetic.ts',
    rooms: SIMULATED,
  },
];

export function inspectAmbient({ path, text }: SourceFile): readonly Finding[] {
  const code = blankOut(text, { strings: true });
  const findings: Finding[] = [];
  for (const rule of AMBIENT) {
    if (!rule.rooms.test(path) || rule.home?.test(path)) continue;
    for (const match of code.matchAll(new RegExp(rule.pattern, 'g'))) {
      findings.push(finding(path, code, match.index, `${match[0].trim()}: ${rule.instead}`));
    }
  }
  return findings;
}

const WARN_LINES = 250;
const FAIL_LINES = 400;

export function inspectLength({ path, text }: SourceFile): readonly Finding[] {
  const lines = text.split('\n').length - 1;
  if (lines <= WARN_LINES) return [];
  return [
    { path, line: lines, rule: `is ${lines} lines long, which is two jobs`, isWarning: lines <= FAIL_LINES },
  ];
}

/** Each object literal that is spread, as in `...{ a, b }`: its properties belong where it stands. */
export function inspectSpreads({ path, text }: SourceFile): readonly Finding[] {
  const code = blankOut(text, { strings: true });
  return [...code.matchAll(/\.\.\.\s*\(?\s*\{/g)].map(({ index }) =>
    finding(path, code, index, 'spreads an object literal: write its properties without the spread'),
  );
}

function finding(path: string, code: string, index: number, rule: string): Finding {
  return { path, line: lineAt(code, index), rule, isWarning: false };
}

function lineAt(code: string, index: number): number {
  return code.slice(0, index).split('\n').length;
}
