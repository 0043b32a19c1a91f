import { isScalar, type Node, type parseDocument, visit, type YAMLError } from 'yaml';

/** What is wrong with the YAML of a file, and at which character, from 0. */
export interface YamlFault {
  readonly offset: number;
  readonly message: string;
  readonly hint?: string;
}

/**
 * The errors of the YAML reader, in words about the file in place of its grammar: one for each cause. What follows from
 * an error of the structure, and what is wrong once more in the same line, is not reported.
 */
export function explainYaml(
  errors: readonly YAMLError[],
  text: string,
  document: ReturnType<typeof parseDocument>,
): readonly YamlFault[] {
  const faults: YamlFault[] = [];
  const lines = new Set<number>();
  for (const error of errors) {
    const fault = explain(error, text, document);
    const line = text.lastIndexOf('\n', fault.offset - 1);
    if (!lines.has(line)) faults.push(fault);
    lines.add(line);
    if (!IN_ONE_LINE.has(error.code)) break;
  }
  return faults;
}

/** Errors that leave the lines below as they are; of all others more errors follow. */
const IN_ONE_LINE: ReadonlySet<YAMLError['code']> = new Set(['DUPLICATE_KEY', 'BLOCK_AS_IMPLICIT_KEY']);

function explain(error: YAMLError, text: string, document: ReturnType<typeof parseDocument>): YamlFault {
  const offset = Math.min(error.pos[0], text.length);
  switch (error.code) {
    case 'DUPLICATE_KEY': {
      const name = /^[^\s:,}]*/.exec(text.slice(offset))?.[0] ?? '';
      return {
        offset,
        message: `${name} appears twice: each name is given once.`,
        hint: 'Leave one of them out. In a list, each item begins with "- ".',
      };
    }
    case 'MULTIPLE_DOCS':
      return {
        offset,
        message: 'A second document begins here, and a file holds one.',
        hint: 'Write each to its own file; a directory of files can be given at once.',
      };
    case 'TAB_AS_INDENT':
      return {
        offset,
        message: 'This line begins with a tab; YAML allows only spaces there.',
        hint: 'Write two spaces for each level, in every line.',
      };
    case 'MISSING_CHAR':
      if (isOpenQuote(error)) {
        return {
          offset: openQuote(document) ?? offset,
          message: 'The text that begins here with a quote has no quote at its end.',
          hint: `Write ${error.message.includes("'") ? "a ' " : 'a " '}behind it.`,
        };
      }
      return {
        offset,
        message: 'This line is neither an item of the list nor a name of the map that it is below.',
        hint: 'Look whether an item lacks its "- ", a name its ": ", or a bracket its end, and whether lines that belong together begin at the same column.',
      };
    case 'BAD_INDENT':
      return isOpenBracket(error)
        ? {
            offset: openBracket(document, error.pos[0], text) ?? offset,
            message: `The ${bracketsOf(error).join(' that begins here has no ')}.`,
            hint: `Write ${bracketsOf(error)[1]} behind what belongs to it; what goes on in the next line is indented more.`,
          }
        : {
            offset,
            message: sentence(error.message),
            hint: 'Items of one list, and names of one map, begin at the same column.',
          };
    case 'BLOCK_AS_IMPLICIT_KEY':
      return {
        offset,
        message: 'A second name with a value follows in this line.',
        hint: `Write each in its own line, or { } around them. ${QUOTES}`,
      };
    case 'MULTILINE_IMPLICIT_KEY':
      return {
        offset,
        message: 'The name that begins here goes on in the next line: no ": " ends it.',
        hint: QUOTES,
      };
    case 'UNEXPECTED_TOKEN':
      return {
        offset,
        message: sentence(error.message),
        hint: QUOTES,
      };
    default:
      return { offset, message: sentence(error.message) };
  }
}

const QUOTES =
  'Texts with ": ", "#", "[" or "{" in them need quotes; lines that belong together begin at the same column.';

function isOpenQuote({ code, message }: YAMLError): boolean {
  return code === 'MISSING_CHAR' && /closing ["']/.test(message);
}

/** Where the last text in quotes begins: it contains all that comes after it. */
function openQuote(document: ReturnType<typeof parseDocument>): number | undefined {
  let last: Node | undefined;
  visit(document, {
    Scalar(_key, node) {
      if (isScalar(node) && (node.type === 'QUOTE_DOUBLE' || node.type === 'QUOTE_SINGLE')) last = node;
    },
  });
  return last?.range?.[0];
}

function isOpenBracket({ code, message }: YAMLError): boolean {
  return code === 'BAD_INDENT' && message.startsWith('Flow');
}

/** The bracket that is open, and the one that is missing. */
function bracketsOf({ message }: YAMLError): readonly [string, string] {
  return message.startsWith('Flow map') ? ['{', '}'] : ['[', ']'];
}

/**
 * The position of the bracket that was still open at `end`, where the reader gave it up. Of several it is the
 * innermost, without those that were closed there.
 */
function openBracket(
  document: ReturnType<typeof parseDocument>,
  end: number,
  text: string,
): number | undefined {
  const begins: number[] = [];
  visit(document, {
    Collection(_key, { flow, range }) {
      if (flow === true && range?.[1] === end) begins.push(range[0]);
    },
  });
  const [inner, outer] = begins.sort((one, other) => other - one);
  const closer = inner !== undefined && text[inner] === '[' ? ']' : '}';
  return text[end - 1] === closer ? (outer ?? inner) : inner;
}

function sentence(message: string): string {
  const text = message.replaceAll(/\s+/g, ' ').trim();
  return /[.?!]$/.test(text) ? text : `${text}.`;
}
