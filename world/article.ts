/** `u` as in unit, and letters that are spelled, by their first sound. */
const SOUNDS_LIKE_CONSONANT = /^(?:uni|use|usu|eu|one\b)/i;
const SOUNDS_LIKE_VOWEL = /^(?:[aeiou]|hour|rpm\b)/i;

/** A noun with its indefinite article: `an estate`, `a unit`. */
export function withArticle(noun: string): string {
  return `${SOUNDS_LIKE_VOWEL.test(noun) && !SOUNDS_LIKE_CONSONANT.test(noun) ? 'an' : 'a'} ${noun}`;
}
