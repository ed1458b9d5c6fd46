import { describe, expect, it } from 'vitest';
import { requestInfo } from '../../../../hack/dev-cluster/api/request-info.ts';
import { FaultBook, type FaultTarget } from '../../../../hack/dev-cluster/faults/fault-book.ts';

const target = (method: string, path: string, user = 'someone'): FaultTarget => {
  const url = new URL(path, 'http://cluster.invalid');
  return { info: requestInfo(method, url), user, query: url.searchParams };
};
const GET = target('GET', '/api/v1/namespaces/n/secrets/a');
const LIST = target('GET', '/api/v1/namespaces/n/secrets?limit=5');
const WATCH = target('GET', '/api/v1/namespaces/n/secrets?watch=true');
const STATUS = { type: 'status', status: 500 } as const;

describe('the book of faults', () => {
  it('skips, then strikes so many times, then lets pass', () => {
    const book = new FaultBook();
    const fault = book.add({ skip: 2, times: 2, action: STATUS });
    const struck = Array.from({ length: 6 }, () => book.strike(GET).length);
    expect(struck).toEqual([0, 0, 1, 1, 0, 0]);
    expect(fault.hits).toBe(2);
  });

  it('applies all rules that match, oldest first', () => {
    const book = new FaultBook();
    book.add({ action: { type: 'delay', ms: 1 } });
    book.add({ match: { verb: 'list' }, action: STATUS });
    expect(book.strike(GET).map(({ type }) => type)).toEqual(['delay']);
    expect(book.strike(LIST).map(({ type }) => type)).toEqual(['delay', 'status']);
  });

  it('counts no request that an action cannot concern', () => {
    const book = new FaultBook();
    const ends = book.add({ times: 1, action: { type: 'endWatch' } });
    const expires = book.add({ times: 1, action: { type: 'expireContinue' } });
    expect(book.strike(LIST)).toEqual([]);
    expect([ends.hits, expires.hits]).toEqual([0, 0]);
    expect(book.strike(WATCH)).toHaveLength(1);
    expect(book.strike(target('GET', '/api/v1/secrets?continue=x'))).toHaveLength(1);
  });

  it('distinguishes subresources from their resource', () => {
    const book = new FaultBook();
    book.add({ match: { resource: 'serviceaccounts' }, action: STATUS });
    const token = target('POST', '/api/v1/namespaces/n/serviceaccounts/r/token');
    expect(book.strike(token)).toEqual([]);
    book.add({ match: { resource: 'serviceaccounts/token' }, action: STATUS });
    expect(book.strike(token)).toHaveLength(1);
  });

  it('counts a hit by hand for one rule only', () => {
    const book = new FaultBook();
    const first = book.add({ action: { type: 'endWatch' } });
    const second = book.add({ action: { type: 'endWatch' } });
    expect(book.strikeWith(second.id, WATCH)).toBe(true);
    expect(book.strikeWith('unknown', WATCH)).toBe(false);
    expect([first.hits, second.hits]).toEqual([0, 1]);
  });

  it('forgets what is removed or cleared', () => {
    const book = new FaultBook();
    book.add({ action: STATUS }).remove();
    book.add({ action: STATUS });
    book.clear();
    expect(book.rules).toEqual([]);
    expect(book.strike(GET)).toEqual([]);
  });
});
