import fc from 'fast-check';

/** A request that no own client sends: the headers, or the origin in the request line, that make it so. */
export interface Intruder {
  readonly what: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Of the URL: as a proxy, or an absolute-form target (RFC 9112 section 3.2.2), names it. */
  readonly origin?: string;
}

const FOREIGN_HOSTS = [
  'attacker.example',
  'attacker.example:8100',
  '127.0.0.1.attacker.example',
  '127.0.0.1.attacker.example:8100',
  '127.attacker.example',
  'localhost.attacker.example:8100',
  'attacker-localhost',
  'attacker.example.localhost',
  '127.0.0.1@attacker.example',
  '10.0.0.1:8100',
  '0.0.0.0:8100',
  '[::2]:8100',
  'localhost.',
  '@@',
];

/** Requests that DNS rebinding brings: a foreign name that resolves to this machine. `own` is the origin of the server. */
export function rebound(own: string): readonly Intruder[] {
  const { host: ownHost } = new URL(own);
  return FOREIGN_HOSTS.flatMap((host) => {
    const origin = `http://${host}`;
    const byHeader = { what: `the Host ${host}`, headers: { host } };
    if (!URL.canParse(origin) || host.includes('@')) return [byHeader];
    return [
      byHeader,
      { what: `the target ${host}`, origin },
      { what: `the target ${host} with a Host of its own`, origin, headers: { host: ownHost } },
    ];
  });
}

/** Requests of other pages in the user's browser; `own` is the origin of the server. */
export function otherPages(own: string): readonly Intruder[] {
  const { port } = new URL(own);
  const origins = [
    'https://attacker.example',
    'null',
    '',
    `http://127.0.0.1`,
    `http://127.0.0.1:${Number(port) + 1}`,
    `http://127.0.0.1:${port}0`,
    `http://localhost:${port}`,
    `https://127.0.0.1:${port}`,
    `http://127.0.0.1.attacker.example:${port}`,
    `http://127.0.0.1:${port}.attacker.example`,
    `http://127.0.0.1:${port}@attacker.example`,
    `http://attacker.example/?${own}`,
    `${own}/`,
    `${own} https://attacker.example`,
    own.toUpperCase(),
  ];
  const sites = ['cross-site', 'same-site', 'unheard-of', 'SAME-ORIGIN'];
  return [
    ...origins.map((origin) => ({ what: `the Origin ${origin}`, headers: { origin } })),
    // A navigation to here is a link, and is allowed for reading.
    ...sites.map((site) => ({
      what: `Sec-Fetch-Site: ${site}`,
      headers: { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    })),
    {
      what: 'a frame of another site',
      headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    },
  ];
}

/** Headers by which frameworks let a request name another method than its own. */
export const OVERRIDING_HEADERS = ['x-http-method-override', 'x-http-method', 'x-method-override'] as const;

/** Ids that are paths, or are not text, as a segment of a path has them. */
export const HOSTILE_SEGMENTS = [
  '..%2f..%2f..%2fetc%2fpasswd',
  '%2e%2e%2fstate',
  '%252e%252e%252fstate',
  '..%5c..%5cstate',
  'x%2f..%2f..',
  '%00',
  'x%00.yaml',
  '%0d%0aset-cookie:%20a=b',
  '%3f',
  'x%3fmethod=DELETE',
  'x%23',
  '%E0%A4%A',
  '__proto__',
  'constructor',
  '%e2%80%ae',
  'x'.repeat(8_000),
] as const;

/**
 * Other spellings of a path, of which a router or a proxy may make the same: with some characters percent-encoded, any
 * number of them or a few.
 */
export function spellingsOf(path: string): fc.Arbitrary<string> {
  const many = fc.subarray([...path].map((_, at) => at).slice(1));
  const few = fc.uniqueArray(fc.integer({ min: 1, max: Math.max(1, path.length - 1) }), { maxLength: 2 });
  const places = path.length < 2 ? fc.constant<number[]>([]) : fc.oneof(few, many);
  return fc.tuple(places, fc.boolean()).map(([encoded, isUpper]) =>
    [...path]
      .map((character, at) => {
        if (!encoded.includes(at)) return character;
        const code = character.charCodeAt(0).toString(16);
        return `%${isUpper ? code.toUpperCase() : code}`;
      })
      .join(''),
  );
}
