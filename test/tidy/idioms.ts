import { type Finding, ROOMS, type SourceFile } from './rules.ts';

/** A private idiom of this house, and the plain English that replaces it. */
const IDIOMS = {
  'is told': { pattern: /\b(?:is|are|was|were|be|been|being) told\b/gi, instead: 'is reported, is notified' },
  stands: { pattern: /\bstands\b(?! for\b| in for\b)/gi, instead: 'is, applies, is parked' },
  'has struck': { pattern: /\b(?:has|have|had|never) struck\b/gi, instead: 'has had an effect' },
  'lay a fault': {
    pattern:
      /\b(?:lays?|laid|laying|lift(?:s|ed|ing)?) (?:(?:a|an|the|this|each|no|every|all) )?(?:\w+ )?(?:faults?|weather)\b/gi,
    instead: 'apply, remove a fault',
  },
  whoever: { pattern: /\bwho(?:m|so)?ever\b/gi, instead: 'the caller, a client that' },
  'to be seen': { pattern: /\bwhat is to be seen\b/gi, instead: 'what is visible, status' },
  'waited for': { pattern: /\b(?:is|are|was|were|be) waited for\b/gi, instead: 'waits for, timeout' },
  'be had': { pattern: /\b(?:can|cannot|can't) be had\b/gi, instead: 'is available' },
  'leave away': { pattern: /\bleaves? \S+ away\b/gi, instead: 'omit, disable' },
  'let go of': { pattern: /\blets? go of\b/gi, instead: 'dropped, discarded' },
  'on the shelf': { pattern: /\bon the shelf\b/gi, instead: 'unassigned, in stock' },
  'lead back': { pattern: /\bleads? back to\b/gi, instead: 'redirect URI' },
  'in a hundred': { pattern: /\bin a hundred\b/gi, instead: 'percent' },
  'of yours': { pattern: /\ban? [\w-]+ of yours\b/gi, instead: 'your own' },
  hastened: { pattern: /\bhasten(?:s|ed|ing)?\b/gi, instead: 'retried immediately' },
} as const satisfies Readonly<Record<string, { readonly pattern: RegExp; readonly instead: string }>>;

type Idiom = keyof typeof IDIOMS;

/** The idioms that a room still contains. Rows and entries are only ever removed. */
const REMAINING: Readonly<Partial<Record<string, readonly Idiom[]>>> = {
  // SQL comments of migrations stay as databases have them, and `is_hastened` is a column.
  backend: ['hastened', 'stands', 'whoever'],
};

const roomOf = (path: string): string => path.split('/')[0] ?? '';

/** Each idiom in the names, comments and texts of the rooms of the product that are free of it. */
export function inspectIdioms({ path, text }: SourceFile): readonly Finding[] {
  const room = roomOf(path);
  if (!ROOMS.includes(room)) return [];
  const remaining = REMAINING[room] ?? [];
  return (Object.keys(IDIOMS) as Idiom[])
    .filter((idiom) => !remaining.includes(idiom))
    .flatMap((idiom) => findingsOf(idiom, { path, text }));
}

/** Each exception that no file of its room needs any more. */
export function outdatedExceptions(files: readonly SourceFile[]): readonly string[] {
  return Object.entries(REMAINING).flatMap(([room, idioms = []]) =>
    idioms
      .filter(
        (idiom) => !files.some((file) => roomOf(file.path) === room && findingsOf(idiom, file).length > 0),
      )
      .map((idiom) => `${room}: ${idiom}`),
  );
}

function findingsOf(idiom: Idiom, { path, text }: SourceFile): readonly Finding[] {
  const { pattern, instead } = IDIOMS[idiom];
  return [...text.matchAll(pattern)].map((match) => ({
    path,
    line: text.slice(0, match.index).split('\n').length,
    rule: `says "${match[0]}"; write for example: ${instead}`,
    isWarning: false,
  }));
}
