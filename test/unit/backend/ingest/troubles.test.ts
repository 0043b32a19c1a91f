import { describe, expect, test } from 'vitest';
import { limits } from '../../../../backend/base/limits.ts';
import { makeTroubleLog, type Trouble } from '../../../../backend/ingest/troubles.ts';

function openLog() {
  const lines: object[] = [];
  const silent = () => undefined;
  const log = makeTroubleLog({
    debug: silent,
    info: silent,
    error: silent,
    warn: (fields) => void lines.push(fields),
  });
  return { log, lines };
}

const trouble = (boxId: string, kind: Trouble['kind'] = 'undecodable'): Trouble => ({
  kind,
  boxId,
  detail: 'why',
});

describe('the log of troubles', () => {
  test('has each kind once for each box, however often it comes', () => {
    const { log, lines } = openLog();
    log([trouble('a'), trouble('a'), trouble('b')]);
    log([trouble('a', 'old-epoch'), trouble('b'), trouble('a')]);
    expect(lines).toEqual([trouble('a'), trouble('b'), trouble('a', 'old-epoch')]);
  });

  test('begins anew once so many are remembered', () => {
    const { log, lines } = openLog();
    const many = Array.from({ length: limits.loggedTroubles }, (_, index) => trouble(`box ${index}`));
    log(many);
    log(many);
    expect(lines).toHaveLength(limits.loggedTroubles);
    log([trouble('one more'), trouble('box 0'), trouble('box 0')]);
    expect(lines.slice(limits.loggedTroubles)).toEqual([trouble('one more'), trouble('box 0')]);
  });
});
