import type { CauseRequest } from './cause-ports.ts';

const SHOWN_CHARACTERS = 500;

/**
 * A request as a command line for a POSIX shell. A very long body is replaced by as many blanks. `variables`: shell
 * variables in place of Authorization headers, by the whole header.
 */
export function curlLine(
  request: CauseRequest,
  addresses: Readonly<Record<CauseRequest['target'], string>>,
  variables: ReadonlyMap<string, string> = new Map(),
): string {
  const { target, method, path, headers, body } = request;
  const isLong = body !== undefined && body.length > SHOWN_CHARACTERS;
  const words = [
    'curl -i',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => {
      const variable = variables.get(value);
      return variable === undefined
        ? `-H ${quoted(`${name}: ${value}`)}`
        : `-H "${name}: Bearer $${variable}"`;
    }),
    ...(body === undefined ? [] : [isLong ? '--data-binary @-' : `-d ${quoted(body)}`]),
    quoted(`${addresses[target]}${path}`),
  ];
  return `${isLong ? `yes ' ' | head -c ${body.length} | ` : ''}${words.join(' ')}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
