import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { makeCounters } from '../../../../backend/base/counters.ts';
import { countedHttp } from '../../../../backend/monitoring/calls.ts';
import { samplesOf } from '../../../../backend/monitoring/counted.ts';
import { METRICS, type MetricDefinition } from '../../../../backend/monitoring/metric-table.ts';
import { makeMetrics } from '../../../../backend/monitoring/metrics.ts';
import { processMetrics } from '../../../../backend/monitoring/process-metrics.ts';
import { HttpUnreachable } from '../../../../world/http/http.ts';

const ALL = Object.entries<MetricDefinition>(METRICS);

describe('the table of metrics', () => {
  test('is the table of docs/operating.md, row by row', () => {
    const page = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `(boxtwin_\w+)` \| (\w+) \| (.*?) \| (.*) \|$/gm)].map((row) =>
      row.slice(1),
    );
    expect(rows).toEqual(
      ALL.map(([name, { kind, help, labels = [] }]) => [
        name,
        kind,
        labels.map((label) => `\`${label}\``).join(', '),
        help,
      ]),
    );
  });

  test.each(ALL)('%s is named as Prometheus has it', (name, { kind, help, labels = [], buckets = [] }) => {
    expect(name).toMatch(/^boxtwin_[a-z]+(_[a-z]+)*$/);
    expect(name.endsWith('_total')).toBe(kind === 'counter');
    if (kind === 'histogram') expect(name).toMatch(/_seconds$/);
    expect(buckets).toEqual(buckets.toSorted((a, b) => a - b));
    expect(help).not.toContain('|');
    for (const label of labels) expect(label).not.toMatch(/vehicle|box_|client|fleet/);
  });

  test('counters map to existing metrics with their labels', () => {
    const counts = {
      payloads: 1,
      'records.stored': 2,
      'faults.bad-checksum': 1,
      'faults.too-short': 2,
      'troubles.unknown-box': 4,
      'troubles.too-many-gaps': 1,
      'down.receipt.sent': 1,
      'commands.box.no-connection': 3,
      'calls.2xx.northwind': 5,
      'calls.failed.other': 1,
      'messages.in-doubt': 1,
      'third-party.polls-report': 1,
      'of-no-metric': 9,
    };
    const samples = samplesOf(counts);
    for (const { metric, labels } of samples) {
      const { labels: declared = [] }: MetricDefinition = METRICS[metric];
      expect(new Set(Object.keys(labels)), metric).toEqual(new Set(declared));
    }
    expect(samples.filter(({ metric }) => metric === 'boxtwin_frames_total')).toEqual([
      { metric: 'boxtwin_frames_total', labels: { verdict: 'stored' }, value: 2 },
      { metric: 'boxtwin_frames_total', labels: { verdict: 'undecodable' }, value: 1 },
      { metric: 'boxtwin_frames_total', labels: { verdict: 'undecodable' }, value: 2 },
      { metric: 'boxtwin_frames_total', labels: { verdict: 'refused' }, value: 4 },
      { metric: 'boxtwin_frames_total', labels: { verdict: 'postponed' }, value: 1 },
    ]);
  });
});

describe('the metrics of the process', () => {
  test('are the second table of docs/operating.md, row by row, and memory, event loop and collections have values', async () => {
    const text = await processMetrics();
    const told = [...text.matchAll(/^# HELP (\w+) (.*)\n# TYPE \1 (\w+)$/gm)].map(([, name, help, kind]) => [
      name,
      kind,
      help,
    ]);
    const page = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| `((?:process|nodejs)_\w+)` \| (\w+) \| .*? \| (.*) \|$/gm)];
    expect(rows.map((row) => row.slice(1))).toEqual(told);
    for (const name of ['process_resident_memory_bytes', 'nodejs_heap_size_used_bytes'])
      expect(Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])).toBeGreaterThan(1_000_000);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    expect(text).toMatch(/^# TYPE nodejs_gc_duration_seconds histogram$/m);
  });

  test('are collected once, however many services read them', async () => {
    const [one, other] = await Promise.all([processMetrics(), processMetrics()]);
    expect(one.match(/^# TYPE process_start_time_seconds /gm)).toHaveLength(1);
    expect(other.match(/^# TYPE process_start_time_seconds /gm)).toHaveLength(1);
  });
});

describe('metrics', () => {
  test('of two services in one process are separate, and reading twice counts nothing twice', async () => {
    const one = makeMetrics();
    const other = makeMetrics();
    one.observe('commit', 0.02);
    one.answered('/vehicles', 200, 0.1);
    one.answered('/vehicles', 204, 0.1);
    for (let count = 0; count < 2; count += 1) {
      const text = await one.text({ payloads: 7, 'faults.a': 1, 'faults.b': 2 }, []);
      expect(text).toContain('\nboxtwin_payloads_total 7\n');
      expect(text).toContain('\nboxtwin_frames_total{verdict="undecodable"} 3\n');
      expect(text).toContain('\nboxtwin_http_requests_total{route="/vehicles",status="2xx"} 2\n');
      expect(text).toContain('\nboxtwin_commit_latency_seconds_bucket{le="0.025"} 1\n');
    }
    expect(await other.text({}, [])).toContain('\nboxtwin_commit_latency_seconds_count 0\n');
  });

  test('calls to other services are counted by target and outcome', async () => {
    const counters = makeCounters();
    const calls = ['http://a.test/x', 'http://a.test/y', 'http://b.test/', 'http://c.test/'];
    const http = countedHttp(
      {
        call: ({ url }) =>
          url === 'http://b.test/'
            ? Promise.reject(new HttpUnreachable('no answer'))
            : Promise.resolve({ status: url.endsWith('y') ? 503 : 200, headers: {}, body: '' }),
      },
      [
        { name: 'first', baseUrl: 'http://a.test' },
        { name: 'second', baseUrl: 'http://b.test' },
      ],
      counters,
    );
    for (const url of calls)
      await http
        .call({ method: 'GET', url, headers: {}, timeoutMs: 1, maxBodyBytes: 1 })
        .catch((error: unknown) => expect(error).toBeInstanceOf(HttpUnreachable));
    expect(counters.read()).toEqual({
      'calls.2xx.first': 1,
      'calls.2xx.other': 1,
      'calls.5xx.first': 1,
      'calls.failed.second': 1,
    });
  });
});
