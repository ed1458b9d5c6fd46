import { describe, expect, it } from 'vitest';
import { requestInfo } from '../../../../hack/dev-cluster/api/request-info.ts';
import { RequestLog } from '../../../../hack/dev-cluster/faults/request-log.ts';

const url = new URL('http://cluster.invalid/api/v1/namespaces/n/secrets/a');

describe('the request log', () => {
  it('keeps the newest 10,000', () => {
    const log = new RequestLog();
    for (let turn = 0; turn < 25_000; turn++)
      log.add(requestInfo('GET', url), url.searchParams, 'someone')(200);
    const entries = log.list();
    expect(entries).toHaveLength(10_000);
    expect(entries[0]?.seq).toBe(15_001);
    expect(entries.at(-1)?.seq).toBe(25_000);
    expect(log.last).toBe(25_000);
  });

  it('goes on to count when it is cleared', () => {
    const log = new RequestLog();
    log.add(requestInfo('GET', url), url.searchParams, 'someone');
    log.clear();
    log.add(requestInfo('GET', url), url.searchParams, 'someone');
    expect(log.list().map(({ seq }) => seq)).toEqual([2]);
  });
});
