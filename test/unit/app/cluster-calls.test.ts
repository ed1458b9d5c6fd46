import { beforeEach, describe, expect, it } from 'vitest';
import { observeClusterCalls } from '../../../src/app/cluster-calls.ts';
import type { CallRecord } from '../../../src/cluster/transport/call-record.ts';
import { createLogger } from '../../../src/observability/logger.ts';
import { createMetrics } from '../../../src/observability/metrics.ts';

const REFUSED = { outcome: 'unavailable', reason: 'connectionFailed', systemCode: 'ECONNREFUSED' } as const;
const OK = { outcome: 'ok', status: 200 } as const;

let now: number;
let lines: Record<string, unknown>[];
let observe: (record: Partial<CallRecord>) => void;

function observer(inCluster: boolean): void {
  now = 0;
  lines = [];
  const write = (line: string): void => void lines.push(JSON.parse(line) as Record<string, unknown>);
  const onCall = observeClusterCalls(
    { metrics: createMetrics('1'), logger: createLogger('info', { write }) },
    { server: 'https://10.0.0.1:6443/base', home: { namespace: 'ns', inCluster } },
    () => now,
  );
  observe = (record) => {
    onCall({
      verb: 'get',
      resource: 'secrets',
      namespace: 'ns',
      name: 'a',
      status: undefined,
      outcome: 'ok',
      reason: undefined,
      systemCode: undefined,
      durationMs: 100,
      attempt: 1,
      ...record,
    });
  };
}

beforeEach(() => {
  observer(true);
});

const events = (): unknown[] => lines.map(({ level, event }) => `${String(level)} ${String(event)}`);

describe('a cluster that does not answer', () => {
  it('is one line when the second request fails, one a minute, and one when it answers again', () => {
    // Four failures a second for two minutes and a half.
    for (now = 0; now < 150_000; now += 250) observe(REFUSED);
    expect(events()).toEqual([
      'warn cluster request',
      'warn cluster does not answer',
      'warn cluster does not answer',
      'warn cluster does not answer',
    ]);
    observe(OK);
    expect(events().slice(4)).toEqual(['info cluster answers again']);
    expect(lines.at(-1)).toMatchObject({ host: '10.0.0.1:6443', count: 600, durationMs: 150_100 });
  });

  it('names the address, the cause and what to check', () => {
    observe(REFUSED);
    observe(REFUSED);
    expect(lines.at(-1)).toMatchObject({
      host: '10.0.0.1:6443',
      systemCode: 'ECONNREFUSED',
      count: 2,
      hint: 'Nothing listens at the address of the API server. Check KUBERNETES_SERVICE_HOST and that the API server runs.',
    });
    const untrusted = { ...REFUSED, systemCode: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' };
    observer(true);
    for (const record of [untrusted, untrusted]) observe(record);
    expect(lines.at(-1)?.['hint']).toBe(
      "The API server's certificate is not trusted here. Give its authority by the ca.crt of the service account.",
    );
    observer(false);
    observe({ ...REFUSED, systemCode: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
    observe({ ...REFUSED, systemCode: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
    expect(lines.at(-1)?.['hint']).toBe(
      "The API server's certificate is not trusted here. Give its authority by KUBECONFIG.",
    );
  });

  it.each(['connectionFailed', 'clusterTimeout', 'clusterThrottled', 'clusterCredentialsRefused', 'x'])(
    'has a hint without a system code: %s',
    (reason) => {
      for (const outcome of ['unavailable', 'uncertain']) observe({ outcome, reason });
      expect(lines.at(-1)).toMatchObject({
        event: 'cluster does not answer',
        hint: expect.stringMatching(/API server.*Check /) as unknown,
      });
    },
  );

  it('that fails now and then is no outage: each failure is a line', () => {
    for (const record of [REFUSED, OK, REFUSED, OK]) observe(record);
    expect(events()).toEqual(['warn cluster request', 'warn cluster request']);
  });

  it.each(['conflict', 'notFound', 'rbacForbidden', 'rejected'])('answers with %s', (outcome) => {
    observe(REFUSED);
    observe({ outcome, status: 400 });
    observe(REFUSED);
    expect(events()).not.toContain('warn cluster does not answer');
  });
});

describe('a request to the cluster', () => {
  it('for a list page that is too long is no warning, since a shorter one is requested', () => {
    observe({ verb: 'list', outcome: 'responseTooLarge', status: 200 });
    expect(lines).toEqual([]);
    observe({ outcome: 'responseTooLarge', status: 200 });
    expect(events()).toEqual(['warn cluster request']);
  });

  it('that failed without a cause of the ordinary is a warning', () => {
    observe({ outcome: 'rbacForbidden', status: 403 });
    expect(events()).toEqual(['warn cluster request']);
  });
});
