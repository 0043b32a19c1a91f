import type { Request } from './call.ts';

const SHOWN_CHARACTERS = 500;

/** A request as a line for a POSIX shell. A very long body is shown as one of blanks that is as long. */
export function curlLine(request: Request, addresses: Readonly<Record<Request['face'], string>>): string {
  const { face, method, path, headers, body } = request;
  const isLong = body !== undefined && body.length > SHOWN_CHARACTERS;
  const words = [
    'curl -i',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [isLong ? '--data-binary @-' : `-d ${quoted(body)}`]),
    quoted(`${addresses[face]}${path}`),
  ];
  return `${isLong ? `yes ' ' | head -c ${body.length} | ` : ''}${words.join(' ')}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
