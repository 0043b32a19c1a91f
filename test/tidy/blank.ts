/** A comment, a string or a template literal, whole. */
export const COMMENT_OR_STRING =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|\$\{[^}]*\}|[^`\\])*`/g;

/** Whether that is a comment. */
export function isComment(token: string): boolean {
  return token.startsWith('//') || token.startsWith('/*');
}

/**
 * The source with comments (and, if asked, what stands in strings) replaced by spaces, line breaks kept, so that a
 * rule finds code and not what is said about it. Template literals count as strings except their `${...}` parts.
 */
export function blankOut(source: string, options: { readonly strings: boolean }): string {
  return source.replace(COMMENT_OR_STRING, (token) => {
    if (!isComment(token) && !options.strings) return token;
    if (token.startsWith('`')) return blankTemplate(token);
    return token.replace(/[^\n]/g, ' ');
  });
}

function blankTemplate(token: string): string {
  return token
    .split(/(\$\{[^}]*\})/)
    .map((part) => (part.startsWith('${') ? part : part.replace(/[^\n]/g, ' ')))
    .join('');
}
