/**
 * The source with comments (and, if asked, what stands in strings) replaced by spaces, line breaks kept, so that a
 * rule finds code and not what is said about it. Template literals count as strings except their `${...}` parts.
 */
export function blankOut(source: string, options: { readonly strings: boolean }): string {
  const TOKEN =
    /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|\$\{[^}]*\}|[^`\\])*`/g;
  return source.replace(TOKEN, (token) => {
    const isComment = token.startsWith('//') || token.startsWith('/*');
    if (!isComment && !options.strings) return token;
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
