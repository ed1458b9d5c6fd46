import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { protectAnswers, refuseCrossSite, refuseForeignHosts } from '../../../src/server/site-protection.ts';

const OWN = 'https://secrets.example.com';

/** The check looks at the request alone. */
const NO_RESPONSE = undefined as unknown as Response;

/** What the check hands on: undefined when the request may pass. */
function checkedAt(publicUrl: string, method: string, headers: Readonly<Record<string, string>>, path = '/') {
  const request = { method, path, get: (name: string) => headers[name] } as unknown as Request;
  let handedOn: unknown = 'not called';
  void refuseCrossSite(publicUrl)(request, NO_RESPONSE, (error?: unknown) => {
    handedOn = error;
  });
  return handedOn;
}

const checked = (method: string, headers: Readonly<Record<string, string>>) =>
  checkedAt(OWN, method, headers);

const WRITES = ['POST', 'PUT', 'DELETE', 'PATCH'];

describe('a write', () => {
  it.each(WRITES)('%s without browser headers passes', (method) => {
    expect(checked(method, {})).toBeUndefined();
  });

  it.each<[what: string, headers: Readonly<Record<string, string>>]>([
    ['of this site', { origin: OWN }],
    ['of this site, as the browser says', { origin: OWN, 'sec-fetch-site': 'same-origin' }],
    ['that the user typed', { 'sec-fetch-site': 'none' }],
  ])('%s passes', (_what, headers) => {
    for (const method of WRITES) expect(checked(method, headers)).toBeUndefined();
  });

  it('of this machine under another of its names passes, from the same port only', () => {
    const own = 'http://localhost:3000';
    for (const origin of [own, 'http://127.0.0.1:3000', 'http://[::1]:3000'])
      expect(checkedAt(own, 'PUT', { origin, 'sec-fetch-site': 'same-origin' })).toBeUndefined();
    for (const origin of ['http://127.0.0.1:3001', 'https://127.0.0.1:3000', 'http://127.0.0.2:3000', 'null'])
      expect(checkedAt(own, 'PUT', { origin })).toMatchObject({ code: 'crossSite' });
    expect(checkedAt(OWN, 'PUT', { origin: 'http://localhost' })).toMatchObject({ code: 'crossSite' });
  });

  it.each<[what: string, headers: Readonly<Record<string, string>>]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another site in capitals', { 'sec-fetch-site': 'Cross-Site' }],
    ['a sibling that names no origin', { 'sec-fetch-site': 'same-site' }],
    ['a sibling that claims this origin', { 'sec-fetch-site': 'same-site', origin: OWN }],
    ['a site of an unknown kind', { 'sec-fetch-site': 'same-party' }],
    ['an empty kind of site', { 'sec-fetch-site': '' }],
    ['another site that claims this origin', { 'sec-fetch-site': 'cross-site', origin: OWN }],
    ['another origin', { origin: 'https://evil.example' }],
    [
      'another origin that claims this site',
      { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' },
    ],
    ['a sibling', { origin: 'https://other.example.com', 'sec-fetch-site': 'same-site' }],
    ['the same host over http', { origin: 'http://secrets.example.com' }],
    ['another port', { origin: `${OWN}:8443` }],
    ['a longer host', { origin: `${OWN}.evil.example` }],
    ['a host with this one in its path', { origin: 'https://evil.example/secrets.example.com' }],
    ['an opaque origin', { origin: 'null' }],
    ['an empty origin', { origin: '' }],
    ['nonsense', { origin: 'secrets.example.com' }],
  ])('from %s is refused', (_what, headers) => {
    for (const method of WRITES) {
      expect(checked(method, headers)).toMatchObject({
        code: 'crossSite',
        message: 'Writes from another site are refused',
      });
    }
  });

  it('is compared with the origin of a public URL that has a path', () => {
    expect(checkedAt(`${OWN}/base`, 'POST', { origin: OWN })).toBeUndefined();
  });
});

describe('a read', () => {
  it.each(['GET', 'HEAD', 'OPTIONS'])('%s passes from everywhere', (method) => {
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
    expect(checked(method, headers)).toBeUndefined();
  });

  it.each(['/api/namespaces/a/secrets/b/keys/c', '/api/namespaces/a/secrets/b/versions/1/keys/c'])(
    'of %s, which a browser saves, passes from this site alone',
    (path) => {
      const from = (site: string) => checkedAt(OWN, 'GET', { 'sec-fetch-site': site }, path);
      for (const site of ['same-origin', 'none']) expect(from(site)).toBeUndefined();
      expect(checkedAt(OWN, 'GET', {}, path)).toBeUndefined();
      for (const site of ['cross-site', 'same-site'])
        expect(from(site)).toMatchObject({
          code: 'crossSite',
          message: 'Downloads for another site are refused',
        });
    },
  );
});

it.each([
  '/namespaces/keys/secrets/x',
  '/namespaces/a/secrets/keys/edit',
  '/api/namespaces/keys/secrets/keys/versions',
  `/api/namespaces/${'keys'.repeat(25_000)}/secrets/${'/versions/keys'.repeat(10_000)}`,
])('a read of %s, which only has the word in a name, passes from everywhere', (path) => {
  expect(checkedAt(OWN, 'GET', { 'sec-fetch-site': 'cross-site' }, path)).toBeUndefined();
});

describe('without sign-in, a request', () => {
  const checkedFor = (host: string | undefined) => {
    const request = { headers: { host } } as unknown as Request;
    let handedOn: unknown = 'not called';
    void refuseForeignHosts('https://secrets.example.com')(request, NO_RESPONSE, (error?: unknown) => {
      handedOn = error;
    });
    return handedOn;
  };

  it.each([
    'localhost',
    'localhost:3000',
    'LocalHost:1',
    '127.0.0.1',
    '127.0.0.1:5173',
    '[::1]',
    '[::1]:3000',
    'secrets.example.com',
    'SECRETS.example.com:443',
  ])('for %s passes', (host) => {
    expect(checkedFor(host)).toBeUndefined();
  });

  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:3000',
    'localhost.evil.example',
    'evil.example.localhost',
    'localhost@evil.example',
    'evil.example@localhost',
    'evil.example/localhost',
    'localhost/',
    'localhost?x',
    'localhost#x',
    'localhost\\evil.example',
    'localhost:',
    'localhost:70000',
    'localhost:3000:3000',
    'localhost, evil.example',
    'local\u0130host',
    '\uff4cocalhost',
    '%6cocalhost',
    '0.0.0.0:3000',
    '10.0.0.1',
    '[::]',
    '[::ffff:127.0.0.1]',
    'secrets.example.com:8443',
    'secrets.example.com.evil.example',
    'a'.repeat(100_000),
  ])('for %j is refused', (host) => {
    expect(checkedFor(host)).toMatchObject({ code: 'foreignHost' });
  });
});

describe('every answer', () => {
  function headersOf(production: boolean): Readonly<Record<string, unknown>> {
    const request = new IncomingMessage(new Socket());
    const response = new ServerResponse(request);
    void protectAnswers(production)(
      request as Request,
      response as unknown as Response,
      (error?: unknown) => {
        expect(error).toBeUndefined();
      },
    );
    return response.getHeaders();
  }

  it('is stored by no cache', () => {
    expect(headersOf(false)['cache-control']).toBe('no-store');
  });

  it('loads nothing from elsewhere, runs no inline script, and stands in no frame', () => {
    const headers = headersOf(true);
    const policy = String(headers['content-security-policy']);
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "frame-ancestors 'none'",
    ]) {
      expect(policy).toContain(part);
    }
    expect(policy).not.toContain('unsafe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
    });
  });

  it('requires https only in production', () => {
    expect(headersOf(true)['strict-transport-security']).toBe('max-age=31536000');
    expect(headersOf(false)['strict-transport-security']).toBeUndefined();
  });
});
