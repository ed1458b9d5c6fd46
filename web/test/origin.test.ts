import { expect, test } from 'vitest';
import { originOf } from '../src/values/origin.ts';

const secret = { type: 'Opaque', keys: ['token'], managedByService: false };

test('a release record of Helm is known by its type, adopted or not', () => {
  for (const managedByService of [true, false]) {
    const origin = originOf({ ...secret, type: 'helm.sh/release.v1', managedByService });
    expect(origin?.title).toBe("Helm's own record of a release");
  }
});

test('a certificate with its ca.crt may be renewed by a tool', () => {
  for (const type of ['kubernetes.io/tls', 'platform.io/tls']) {
    const keys = ['ca.crt', 'tls.crt', 'tls.key'];
    expect(originOf({ ...secret, type, keys })?.advice).toContain('cert-manager');
  }
});

test('of anything else only that it is not managed here is shown', () => {
  expect(originOf(secret)?.title).toBe('Not managed by this service yet');
  expect(originOf({ ...secret, type: 'kubernetes.io/tls', keys: ['tls.crt', 'tls.key'] })?.title).toBe(
    'Not managed by this service yet',
  );
});

test('of a Secret that is managed here there is nothing to say', () => {
  expect(originOf({ ...secret, managedByService: true })).toBeUndefined();
});
