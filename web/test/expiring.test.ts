import { expect, test } from 'vitest';
import { readCertificates } from '../src/api/certificates.ts';
import { ApiError } from '../src/api/http-client.ts';
import type { SecretList, SecretSummary } from '../src/api/secrets-api.ts';
import { expiringGroups } from '../src/features/expiring/expiring.ts';
import { summaryOf } from './summaries.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const DAY_MS = 24 * 60 * 60_000;
const { signal } = new AbortController();

function certificate(name: string, days: number, namespace = 'team-a'): SecretSummary {
  const certificateNotAfter = new Date(NOW + days * DAY_MS).toISOString();
  const keys = ['tls.crt', 'tls.key'];
  return summaryOf(name, { namespace, type: 'kubernetes.io/tls', keys, keyCount: 2, certificateNotAfter });
}

const listOf = (secrets: readonly SecretSummary[], next?: string): SecretList => ({
  namespace: 'n',
  secrets,
  canCreate: true,
  asOf: NOW,
  ...(next === undefined ? {} : { continue: next }),
});
const failed = (status: number) => Promise.reject(new ApiError(status, 'Not now', undefined));
const namesOf = (secrets: readonly SecretSummary[]) => secrets.map(({ name }) => name);

test('what expires is grouped by how soon, the next to expire first', () => {
  const secrets = [30, 8, 7, 0.5, -1, -90, 31].map((days) => certificate(`in ${days} days`, days));
  const groups = expiringGroups(secrets, NOW).map(({ urgency, secrets: those }) => [urgency, namesOf(those)]);
  expect(groups).toEqual([
    ['expired', ['in -90 days', 'in -1 days']],
    ['week', ['in 0.5 days', 'in 7 days']],
    ['month', ['in 8 days', 'in 30 days']],
  ]);
});

test('all pages of all namespaces are read, of Secrets with a certificate', async () => {
  const pages: readonly string[] = ['', 'next', 'last'];
  const withoutOne = { ...certificate('none', 1) };
  delete (withoutOne as { certificateNotAfter?: string }).certificateNotAfter;
  const api = {
    list: () => failed(400),
    page: (namespace: string, { token }: { readonly token: string }) =>
      Promise.resolve(
        listOf([certificate(`${namespace}${token}`, 1), withoutOne], pages[pages.indexOf(token) + 1]),
      ),
  };
  const { secrets, missing, hasMore } = await readCertificates(api, ['a', 'b'], signal);
  expect(namesOf(secrets).sort()).toEqual(['a', 'alast', 'anext', 'b', 'blast', 'bnext']);
  expect([missing, hasMore]).toEqual([[], false]);
});

test('without pages whole lists are read; what fails is named, and what one may not see is not', async () => {
  const api = {
    list: (namespace: string) =>
      namespace === 'slow' ? failed(503) : Promise.resolve(listOf([certificate(namespace, 1)])),
    page: (namespace: string) => failed(namespace === 'hidden' ? 403 : 503),
  };
  const { secrets, missing } = await readCertificates(api, ['a', 'hidden', 'slow', 'z'], signal);
  expect(namesOf(secrets).sort()).toEqual(['a', 'z']);
  expect(missing).toEqual(['slow']);
});

test('namespaces are read two at a time, and no more than 200', async () => {
  let [running, most, count] = [0, 0, 0];
  const api = {
    list: () => failed(400),
    page: async () => {
      running += 1;
      count += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      return listOf([]);
    },
  };
  const names = Array.from({ length: 300 }, (_, index) => `team-${index}`);
  const { hasMore } = await readCertificates(api, names, signal);
  expect([most, count, hasMore]).toEqual([2, 200, true]);
});

test('a session that has ended ends the reading', async () => {
  const api = { list: () => failed(401), page: () => failed(401) };
  await expect(readCertificates(api, ['a'], signal)).rejects.toThrow(ApiError);
});
