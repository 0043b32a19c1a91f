/** One instruction of a container file: `RUN`, and what stands behind it. */
export interface Instruction {
  readonly name: string;
  readonly rest: string;
}

/** What stands from one `FROM` to the next. */
export interface Stage {
  /** Empty: the last one, which has no name. */
  readonly name: string;
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** The stages of a container file, each instruction on one line. Throws where it is written in another way. */
export function stagesOf(text: string): readonly Stage[] {
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name = '', rest = ''] = /^([A-Z]+) (.*[^\\])$/.exec(line) ?? [];
    if (name === '') throw new Error(`not read here: ${line}`);
    if (name === 'FROM') {
      const [from = '', , stage = ''] = rest.split(' ');
      stages.push({ name: stage, from, instructions: [] });
    } else if (name !== 'ARG') stages.at(-1)?.instructions.push({ name, rest });
  }
  return stages;
}

/** What the words of `.dockerignore` leave of these paths: the last one that fits a path or a folder of it decides. */
export function contextOf(paths: readonly string[], ignore: string): readonly string[] {
  const rules = ignore
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ isKept: line.startsWith('!'), pattern: patternOf(line.replace('!', '')) }));
  return paths.filter((path) => {
    const parts = path.split('/');
    const folders = parts.map((_, index) => parts.slice(0, index + 1).join('/'));
    const last = rules.findLast(({ pattern }) => folders.some((folder) => pattern.test(folder)));
    return last === undefined || last.isKept;
  });
}

/** A star is of one part of a path, two with a slash behind them of any number of parts. */
function patternOf(word: string): RegExp {
  const text = word
    .replaceAll(/[.+?^$()|[\]{}\\]/g, '\\$&')
    .replaceAll('**/', '(?:.*/)?')
    .replaceAll(/(?<!\.)\*/g, '[^/]*');
  return new RegExp(`^${text}$`);
}
