import { join } from 'node:path';
import { z } from 'zod';
import { Failure } from './failure.ts';
import { limits } from './limits.ts';
import { READY_FILE, readReadyFile } from './ready-file.ts';
import { DEFAULT_PORTS } from './station-options.ts';

/** The two addresses of a running `up`. */
export type Face = 'api' | 'simulator';

/** What stands at an address. `other`: something that says nothing of the kind, such as a proxy before the API. */
type Standing = Face | 'other' | { readonly unreachable: string };

/** What the user says of where to look. */
export interface PlaceWish {
  /** Given by --url and --simulator; absent: that of the `up` whose data directory it is, or else the usual one. */
  readonly url?: string | undefined;
  readonly simulator?: string | undefined;
  /** Data directory of the running `up`. */
  readonly data: string;
}

const FACES = {
  api: { option: '--url', name: 'the API', usual: `http://127.0.0.1:${DEFAULT_PORTS.api}` },
  simulator: {
    option: '--simulator',
    name: 'the simulator',
    usual: `http://127.0.0.1:${DEFAULT_PORTS.simulator}`,
  },
} as const;

const OTHER: Readonly<Record<Face, Face>> = { api: 'simulator', simulator: 'api' };

/**
 * The address at which this face of a running `up` answers, without a slash at its end: the one that is given, the one
 * that the data directory has, or the usual one. Throws a `Failure` that says what stands there instead, and what to do.
 */
export async function placeOf(face: Face, wish: PlaceWish): Promise<string> {
  const { option, name } = FACES[face];
  const tried: string[] = [];
  for (const address of candidates(face, wish)) {
    const standing = await whoStandsAt(address);
    if (standing === face || (standing === 'other' && face === 'api')) return address;
    if (typeof standing === 'object') tried.push(`Nobody answers at ${address} (${standing.unreachable}).`);
    else if (standing === OTHER[face]) tried.push(mistaken(face, address, wish));
    else tried.push(`At ${address} stands something else than ${name}.`);
  }
  throw new Failure(
    `${tried.join(' ')} Is "boxtwin up" running? Name its data directory with --data, or give ${name}'s address, which its banner shows, with ${option}.`,
  );
}

/** Each once, the likelier first. */
function candidates(face: Face, wish: PlaceWish): readonly string[] {
  const given = givenOf(face, wish);
  if (given !== undefined) return [withoutSlash(given)];
  const ready = readReadyFile(wish.data);
  const known = face === 'api' ? ready?.base_url : (ready?.simulator_url ?? undefined);
  return [...new Set([...(known === undefined ? [] : [withoutSlash(known)]), FACES[face].usual])];
}

/** The one address stands for the other. Where both do, they are swapped. */
function mistaken(face: Face, address: string, wish: PlaceWish): string {
  const { option, name } = FACES[face];
  const other = OTHER[face];
  const isGiven = givenOf(face, wish) !== undefined;
  const place = isGiven ? `${address} (${option})` : address;
  const advice =
    isGiven && givenOf(other, wish) !== undefined
      ? ` Perhaps --url and --simulator are swapped.`
      : ` Look at the line "${face === 'api' ? 'API' : face}" of the banner.`;
  return `At ${place} stands ${FACES[other].name}, and not ${name}.${isGiven ? advice : ''}`;
}

function givenOf(face: Face, { url, simulator }: PlaceWish): string | undefined {
  return face === 'api' ? url : simulator;
}

const apiRoot = z.looseObject({ links: z.looseObject({ openapi: z.string() }) });
const simulatorRoot = z.looseObject({ what: z.string(), boxes: z.int() });

async function whoStandsAt(address: string): Promise<Standing> {
  try {
    const answer = await fetch(`${address}/`, {
      headers: { accept: 'application/json' },
      signal: AbortSignal.timeout(limits.placeTimeoutMs),
    });
    const body: unknown = await answer.json().catch(() => undefined);
    if (apiRoot.safeParse(body).success) return 'api';
    return simulatorRoot.safeParse(body).success ? 'simulator' : 'other';
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return { unreachable: cause instanceof Error ? cause.message : String(cause) };
  }
}

/** Where a command that looks there by itself finds the addresses, for its help. */
export function foundBy(face: Face): string {
  return `(default: as ${join('<data>', READY_FILE)} has it, or ${FACES[face].usual})`;
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, '');
}
