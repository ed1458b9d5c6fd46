import { describe, expect, it } from 'vitest';
import { isServiceError } from '../../../src/errors/service-error.ts';
import { requireNoServiceAccountToken, requireTypeRule } from '../../../src/secrets/write-checks.ts';
import { decoded, recordedCreations } from './recordings.ts';

type Values = Readonly<Record<string, string | Uint8Array>>;

const data = (values: Values) =>
  new Map(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === 'string' ? Buffer.from(value) : value,
    ]),
  );

/** The message of the refusal, or undefined when the data fits. */
async function refusal(type: string, values: ReadonlyMap<string, Uint8Array>): Promise<string | undefined> {
  try {
    await requireTypeRule(type, values);
    return undefined;
  } catch (error) {
    if (isServiceError(error, 'invalidSecret')) return error.message;
    throw error;
  }
}

const FITS: readonly (readonly [rule: string, values: Values])[] = [
  ['basic-auth', { username: '' }],
  ['basic-auth', { password: '' }],
  ['basic-auth', { username: 'u', password: 'p', more: 'x' }],
  ['basic-auth', { password: Uint8Array.of(0xff) }],
  ['ssh-auth', { 'ssh-privatekey': 'k' }],
  ['ssh-auth', { 'ssh-privatekey': ' ', 'known-hosts': '' }],
  ['ssh-auth', { 'ssh-privatekey': Uint8Array.of(0) }],
  ['tls', { 'tls.crt': '', 'tls.key': '' }],
  ['tls', { 'tls.crt': 'not a certificate', 'tls.key': Uint8Array.of(0xff), 'ca.crt': '' }],
  ...(['dockerconfigjson', 'dockercfg'] as const).flatMap((rule) =>
    [
      'null',
      '{}',
      ' \t\r\n{} ',
      '{"a":1,"a":2}',
      '{"auths":{"__proto__":{"auth":"x"}}}',
      '{"a":"\\ud800"}',
      '{"a":1e308,"b":-0,"c":1e-400}',
    ].map((text) => [rule, { [`.${rule}`]: text, extra: 'x' }] as const),
  ),
  // Go replaces invalid bytes inside strings before it looks at the JSON.
  ['dockerconfigjson', { '.dockerconfigjson': Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]) }],
];

const DOES_NOT_FIT: readonly (readonly [rule: string, values: Values])[] = [
  ['basic-auth', {}],
  ['basic-auth', { Username: 'u', user: 'u' }],
  ['ssh-auth', {}],
  ['ssh-auth', { 'ssh-privatekey': '' }],
  ['ssh-auth', { 'ssh-publickey': 'k' }],
  ['tls', {}],
  ['tls', { 'tls.crt': 'c' }],
  ['tls', { 'tls.key': 'k' }],
  ['dockercfg', { '.dockerconfigjson': '{}' }],
  ['dockerconfigjson', { '.dockercfg': '{}' }],
  ...(['dockerconfigjson', 'dockercfg'] as const).flatMap((rule) => [
    [rule, {}] as const,
    ...[
      '',
      ' ',
      '[]',
      '"x"',
      '1',
      'true',
      '{bad',
      '{} {}',
      '{"a":1,}',
      "{'a':1}",
      '{a:1}',
      'undefined',
      'NaN',
      '\ufeff{}',
      '\u00a0{}',
      '{"a":"\n"}',
      '{"a":1e400}',
      '{"a":[-1e400]}',
    ].map((text) => [rule, { [`.${rule}`]: text }] as const),
    [rule, { [`.${rule}`]: Uint8Array.of(0xff) }] as const,
    [rule, { [`.${rule}`]: Buffer.from('{}', 'utf16le') }] as const,
  ]),
];

describe.each(['kubernetes.io', 'platform.io'])('a built-in type spelled %s/…', (prefix) => {
  it.each(FITS)('%s takes %j', async (rule, values) => {
    expect(await refusal(`${prefix}/${rule}`, data(values))).toBeUndefined();
  });

  it.each(DOES_NOT_FIT)('%s refuses %j', async (rule, values) => {
    expect(await refusal(`${prefix}/${rule}`, data(values))).toMatch(
      new RegExp(`^data does not fit its type: ${rule} `),
    );
  });

  it('takes JSON as deep as the cluster does', async () => {
    const deep = (levels: number) =>
      data({ '.dockerconfigjson': `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}` });
    expect(await refusal(`${prefix}/dockerconfigjson`, deep(9_000))).toBeUndefined();
    expect(await refusal(`${prefix}/dockerconfigjson`, deep(11_000))).toContain('JSON object');
  });

  it('service-account-token is never written', () => {
    expect(() => {
      requireNoServiceAccountToken(`${prefix}/service-account-token`);
    }).toThrow(expect.objectContaining({ code: 'invalidSecret', reason: 'serviceAccountToken' }) as Error);
  });

  it('does not quote a value when it refuses', async () => {
    const planted = data({ '.dockerconfigjson': '{"auths": planted-4711}' });
    expect(await refusal(`${prefix}/dockerconfigjson`, planted)).not.toContain('planted');
  });
});

describe('a type without rules', () => {
  it.each([
    'Opaque',
    '',
    'bootstrap.kubernetes.io/token',
    'bootstrap.platform.io/token',
    'helm.sh/release.v1',
    'custom type!',
    'x'.repeat(300),
    'tls',
    '/tls',
    'kubernetes.io/',
    'kubernetes.io/TLS',
    'Kubernetes.io/tls',
    'kubernetes.io/tls/v2',
    'kubernetes.io/other',
    'kubernetes.io/__proto__',
    'kubernetesXio/tls',
    'evil.kubernetes.io/tls',
    'kubernetes.io/service-account-tokens',
    'example.io/service-account-token',
  ])('%s takes anything', async (type) => {
    expect(await refusal(type, new Map())).toBeUndefined();
    expect(() => {
      requireNoServiceAccountToken(type);
    }).not.toThrow();
  });
});

describe('the rules agree with a real cluster', () => {
  const creations = recordedCreations('03-types').filter(
    // The service never writes these, and holds the neutral spelling to the rules of the native one.
    ({ type }) => type !== 'kubernetes.io/service-account-token' && !type.startsWith('platform.io/'),
  );

  it('over all recorded types', () => {
    expect(creations.length).toBeGreaterThan(25);
    expect(new Set(creations.map(({ status }) => status))).toEqual(new Set([201, 422]));
  });

  it.each(creations)('$id: $status', async ({ type, data: values, status }) => {
    expect((await refusal(type, decoded(values ?? new Map()))) === undefined).toBe(status === 201);
  });
});
