import pc from 'picocolors';
import { capabilitiesOf, commandCapabilitiesOf } from '../../../backend/vehicles/capabilities.ts';
import { textOf } from '../../../deployment/models/model-directory.ts';
import { readModel } from '../../../deployment/models/read-model.ts';
import { CommandError } from '../../../deployment/shared/command-error.ts';
import { counted } from '../../../judge/wording.ts';
import { MAKER_MODELS } from '../../../protocol/models/maker-models.ts';
import type { VehicleModel } from '../../../protocol/models/model.ts';
import { MODELS } from '../../../protocol/models/models.ts';
import { printProblem } from '../../../scenarios/language/document/problem.ts';
import { printable } from '../../shared/output.ts';

/** Checks a model file, and prints what a vehicle of it reports. Throws a `CommandError` where it cannot be used. */
export function modelCheck(file: string, { json }: { readonly json: boolean }): void {
  const text = textOf(file);
  const reading = readModel(text, file);
  const taken = reading.ok && (MODELS.has(reading.model.name) || MAKER_MODELS.has(reading.model.name));
  if (json) {
    const problems = reading.ok ? [] : reading.problems;
    const named = taken ? [{ file, line: 1, column: 1, message: takenText(reading.model) }] : [];
    const all = [...problems, ...named];
    const told = reading.ok && !taken ? toldBy(reading.model) : {};
    process.stdout.write(`${JSON.stringify({ file, ok: all.length === 0, problems: all, ...told })}\n`);
    if (all.length > 0) process.exitCode = 2;
    return;
  }
  if (!reading.ok)
    throw new CommandError(
      `${file} cannot be used:\n\n${reading.problems.map((problem) => printProblem(problem, text)).join('\n\n')}`,
    );
  if (taken) throw new CommandError(`${file} cannot be used: ${takenText(reading.model)}`);
  const { name, rows, frames, capabilities, commands } = toldBy(reading.model);
  const what = `${counted(rows, 'row')}, ${counted(frames, 'CAN frame')}`;
  process.stdout.write(
    printable(
      `${pc.green('OK')}  ${name}: ${what}\n  it reports ${capabilities.join(', ') || 'nothing'}\n  it can do  ${commands.join(', ') || 'nothing'}\n`,
    ),
  );
}

function takenText({ name }: VehicleModel): string {
  return `There is a built-in model ${name}. Choose another name.`;
}

function toldBy(model: VehicleModel) {
  return {
    name: model.name,
    rows: model.rows.length,
    frames: model.frames.length,
    capabilities: capabilitiesOf(model),
    commands: commandCapabilitiesOf(model),
  };
}
