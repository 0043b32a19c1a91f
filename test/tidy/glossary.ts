/** One word of the glossary, from its line `- **word** (standard term): what it means. [link](link)`. */
export interface GlossaryEntry {
  readonly word: string;
  readonly line: number;
  /** Without its links. */
  readonly meaning: string;
  readonly hasLink: boolean;
}

const ENTRY = /^- \*\*([^*]+)\*\*([^:]*):(.*)$/;
const LINK = /\[[^\]]*\]\([^)]+\)/g;

/** The words in the order in which they stand. A line that goes on is indented by two spaces. */
export function glossaryEntries(page: string): readonly GlossaryEntry[] {
  const entries: GlossaryEntry[] = [];
  for (const { text, line } of joinedLines(page)) {
    const match = ENTRY.exec(text);
    if (match === null) continue;
    const [, word = '', , said = ''] = match;
    entries.push({ word, line, meaning: said.replace(LINK, '').trim(), hasLink: said.search(LINK) !== -1 });
  }
  return entries;
}

/** What is wrong with the glossary, one text each. */
export function inspectGlossary(page: string): readonly string[] {
  const wrong: string[] = [];
  const seen = new Set<string>();
  let before: GlossaryEntry | undefined;
  for (const entry of glossaryEntries(page)) {
    const { word, line } = entry;
    const key = word.toLowerCase();
    const isTwice = seen.has(key);
    if (isTwice) wrong.push(`line ${line}: ${word} stands twice`);
    else if (before !== undefined && key < before.word.toLowerCase())
      wrong.push(`line ${line}: ${word} stands behind ${before.word}`);
    if (!/[a-z].*\.\)?$/i.test(entry.meaning)) wrong.push(`line ${line}: ${word} has no sentence`);
    if (!entry.hasLink) wrong.push(`line ${line}: ${word} has no link`);
    seen.add(key);
    before = entry;
  }
  return wrong;
}

function joinedLines(page: string): readonly { readonly text: string; readonly line: number }[] {
  const joined: { text: string; line: number }[] = [];
  for (const [index, text] of page.split('\n').entries()) {
    const last = joined.at(-1);
    if (/^ {2}\S/.test(text) && last !== undefined) last.text += ` ${text.trim()}`;
    else joined.push({ text, line: index + 1 });
  }
  return joined;
}
