import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const checkout = join(import.meta.dirname, '..', '..', '..');

/**
 * A package that npm installs in a moment, and that runs this checkout. That the packed one installs and runs is for
 * test/all/containers.test.ts and .ci/smoke. Of the swarm it makes one run in place of minutes; with `SWARM_FINDS` it writes
 * that scenario as what was found. Returns its folder.
 */
export function standInPackage(place: string): string {
  const folder = join(place, 'stand-in');
  mkdirSync(folder);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'boxtwin', version: '0.0.0', bin: { boxtwin: 'boxtwin.sh' } }),
  );
  const script = join(folder, 'boxtwin.sh');
  const command = `"${process.execPath}" "${join(checkout, 'bin', 'boxtwin.js')}"`;
  writeFileSync(
    script,
    `#!/usr/bin/env bash
if [ "$1" != swarm ]; then exec ${command} "$@"; fi
echo "asked: $*"
options=("$@")
for index in "\${!options[@]}"; do
  case "\${options[index]}" in
    --minutes) options[index]=--runs; options[index+1]=1 ;;
    --out) found="\${options[index+1]}" ;;
  esac
done
if [ -n "$SWARM_FINDS" ]; then cp "$SWARM_FINDS" "$found"; exit 1; fi
exec ${command} "\${options[@]}"
`,
  );
  chmodSync(script, 0o755);
  return folder;
}
