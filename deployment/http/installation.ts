import { problemResponse } from '../../simulator/http/refusal.ts';
import { limits } from '../shared/limits.ts';

/**
 * Names the installation that a request is for: the thumbprint of the key that signs its tokens (RFC 7638), which `GET
 * /` of its service and of its simulator show. Two installations on one machine have the same vehicle ids if they have
 * the same seed, so an address alone does not identify the installation.
 */
const INSTALLATION_HEADER = 'boxtwin-installation';

/** The header of requests that are for this installation only; undefined: for any. */
export function installationHeaders(installation: string | undefined): Readonly<Record<string, string>> {
  return installation === undefined ? {} : { [INSTALLATION_HEADER]: installation };
}

/** Sends requests that are for this installation only; `send` absent: over the network. */
export function fetchOf(
  installation: string | undefined,
  send: (request: Request) => Promise<Response> = fetch,
): (request: Request) => Promise<Response> {
  return (request) => {
    for (const [name, value] of Object.entries(installationHeaders(installation)))
      request.headers.set(name, value);
    return send(request);
  };
}

/**
 * The answer to a request that is for another installation: 421 (RFC 9110 section 15.5.20). Undefined where it is for
 * this one, or names none. It is decided with each request: another program may have taken over an address since its
 * client checked it.
 */
export function misdirectedRefusal(request: Request, installation: string): Response | undefined {
  const wanted = request.headers.get(INSTALLATION_HEADER);
  if (wanted === null || wanted === installation) return undefined;
  const shown = JSON.stringify(wanted.slice(0, limits.shownInstallationCharacters));
  return problemResponse({
    status: 421,
    detail: `This is the installation ${installation}, and the request is for the installation ${shown}. Nothing was done.`,
  });
}
