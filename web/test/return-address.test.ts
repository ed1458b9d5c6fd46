import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PAGE_ROUTES } from '../../src/contract/page-routes.ts';
import { rememberReturnAddress, takeReturnAddress } from '../src/session/return-address.ts';

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    setItem: (key: string, value: string) => stored.set(key, value),
    getItem: (key: string) => stored.get(key) ?? null,
    removeItem: (key: string) => stored.delete(key),
  });
});
afterEach(() => vi.unstubAllGlobals());

const taken = (path: string) => {
  rememberReturnAddress(path);
  return takeReturnAddress();
};

const { namespaces, login, ...pages } = PAGE_ROUTES;

test.each(Object.values(pages))('someone comes back to %s, with its search and its hash, once', (page) => {
  const path = `${page.replaceAll(/:\w+/g, 'some-name')}?a=b%20c#access`;
  expect(taken(path)).toBe(path);
  expect(takeReturnAddress()).toBeUndefined();
});

test.each([
  ...[namespaces, login, '/api/auth/login', '/expiring-soon', ''],
  ...[
    '//example.com/namespaces/a',
    '/\\example.com',
    'https://example.com/namespaces/a',
    'javascript:alert(1)',
  ],
])('no one is led to %j', (path) => {
  expect(taken(path)).toBeUndefined();
});
