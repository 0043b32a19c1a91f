import { httpLimits } from './limits.ts';

/** A caller's text for a detail: in quotes, shortened, without control characters. */
export function quote(text: string): string {
  const characters = [...text];
  const shown = characters.slice(0, httpLimits.quotedCharacters).join('');
  const isCut = characters.length > httpLimits.quotedCharacters;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are replaced.
  return `'${shown.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?')}${isCut ? '…' : ''}'`;
}
