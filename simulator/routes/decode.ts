/** The content of a text file, and the assumptions of the decoder. */
export type DecodedText =
  | { readonly text: string; readonly assumed?: string }
  | { readonly text?: undefined; readonly reason: string };

/** Byte order marks, and the first characters of XML without one (XML 1.0, appendix F.1). */
const SIGNATURES: readonly (readonly [bytes: readonly number[], encoding: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xff, 0xfe], 'utf-16le'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0x3c, 0x00, 0x3f, 0x00], 'utf-16le'],
  [[0x00, 0x3c, 0x00, 0x3f], 'utf-16be'],
];

/** How much of a file is searched for the encoding that its XML declaration names. */
const DECLARATION_BYTES = 200;

/**
 * The text of a file, without its byte order mark. Its encoding is that of the mark, else the one that an XML
 * declaration names, else UTF-8, and Windows-1252 where it is no UTF-8: numbers and times are the same in all of them.
 */
export function decodedText(bytes: Uint8Array): DecodedText {
  const signature = SIGNATURES.find(([mark]) => mark.every((byte, index) => bytes[index] === byte));
  const encoding = signature?.[1] ?? declaredEncoding(bytes) ?? 'utf-8';
  const decoder = decoderOf(encoding);
  if (decoder === undefined) return { reason: `declares the encoding ${encoding}, which is unknown.` };
  try {
    return plain({ text: decoder.decode(bytes) });
  } catch {
    if (signature !== undefined) return { reason: `is no text in ${encoding.toUpperCase()}.` };
    const text = new TextDecoder('windows-1252').decode(bytes);
    return plain({ text, assumed: `is no text in ${encoding.toUpperCase()}: it is read as Windows-1252.` });
  }
}

/** Zero characters are in files that are no text. */
function plain(decoded: DecodedText & { readonly text: string }): DecodedText {
  return decoded.text.includes('\0') ? { reason: 'is no text: it has zero bytes in it.' } : decoded;
}

/** Undefined: none. UTF-16 cannot be declared in single bytes, so such a declaration is wrong. */
function declaredEncoding(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder('windows-1252').decode(bytes.subarray(0, DECLARATION_BYTES));
  const declared = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z][\w.:-]{0,39})["']/.exec(start)?.[1];
  return declared === undefined || /^utf-?16/i.test(declared) ? undefined : declared.toLowerCase();
}

function decoderOf(encoding: string): { decode(bytes: Uint8Array): string } | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true });
  } catch {
    return undefined;
  }
}
