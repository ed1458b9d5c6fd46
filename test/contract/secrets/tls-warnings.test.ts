import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { errorOf, secretOf, versionOf } from '../../harness/answers.ts';
import type { ApiAnswer } from '../../harness/api-client.ts';
import { secretsPath } from '../../harness/secret-paths.ts';
import { openStack, type Stack } from '../../harness/stack.ts';
import { makeCertificate } from '../../fakes/certificate.ts';

let stack: Stack;
let namespace: string;

beforeAll(async () => {
  stack = await openStack();
});
afterAll(() => stack.close());
beforeEach(async () => {
  namespace = await stack.namespace();
});

const TLS = 'kubernetes.io/tls';
const web = makeCertificate('web');
const other = makeCertificate('other');
const GOOD = { 'tls.crt': web.cert, 'tls.key': web.key };
const MISMATCH = { 'tls.crt': web.cert, 'tls.key': other.key };
const KEY_WARNING = '299 - "tls.key is not the key of the certificate in tls.crt"';

const path = (part = '') => secretsPath(namespace, `web${part}`);
const create = (data: object, type = TLS) =>
  stack.admin.post(secretsPath(namespace), { name: 'web', type, data });
const warningOf = (answer: ApiAnswer) => answer.headers.get('warning');

describe('a certificate that will hardly work', () => {
  it('is created, read, updated and restored as before, with a warning in a header', async () => {
    const created = await create(MISMATCH);
    expect([created.status, warningOf(created)]).toEqual([201, KEY_WARNING]);

    const read = await stack.admin.get(path());
    const { resourceVersion, data } = secretOf(read);
    expect([data, warningOf(read)]).toEqual([MISMATCH, KEY_WARNING]);

    const updated = await stack.admin.put(path(), { resourceVersion, data: GOOD });
    expect([secretOf(updated).data, warningOf(updated)]).toEqual([GOOD, null]);

    const restored = await stack.admin.post(path('/restore'), {
      resourceVersion: secretOf(updated).resourceVersion,
      version: 1,
    });
    expect([secretOf(restored).data, warningOf(restored)]).toEqual([MISMATCH, KEY_WARNING]);
  });

  it('has one warning for each value that cannot be read, and repeats nothing of the values', async () => {
    const created = await create({ 'tls.crt': 'planted-certificate', 'tls.key': 'planted-key' });
    expect(warningOf(created)).toBe(
      '299 - "tls.crt does not begin with a certificate (PEM) that can be read", ' +
        '299 - "tls.key contains no private key (PEM) that can be read"',
    );
    expect([...created.headers].join()).not.toContain('planted');
  });

  it('adds no field to a Secret', async () => {
    const good = secretOf(await create(GOOD), 201);
    await stack.kube.deleteSecret(namespace, 'web');
    expect(Object.keys(secretOf(await create(MISMATCH), 201)).sort()).toEqual(Object.keys(good).sort());
  });
});

describe('no warning', () => {
  it('is in the answer for a certificate with its key, or for another type', async () => {
    expect(warningOf(await create(GOOD))).toBeNull();
    await stack.kube.deleteSecret(namespace, 'web');
    expect(warningOf(await create(MISMATCH, 'Opaque'))).toBeNull();
  });

  it('is shown without access, in lists, or of archived versions', async () => {
    await create(MISMATCH);
    const { resourceVersion } = secretOf(await stack.admin.get(path()));
    await stack.admin.put(path(), { resourceVersion, allowedUsers: ['other@example.com'] });
    const version = await stack.admin.get(path('/versions/1'));
    expect([versionOf(version).version, warningOf(version)]).toEqual([1, null]);
    expect(warningOf(await stack.admin.get(secretsPath(namespace)))).toBeNull();
    const refused = await stack.developerA.get(path());
    errorOf(refused, 403);
    expect(warningOf(refused)).toBeNull();
  });
});
