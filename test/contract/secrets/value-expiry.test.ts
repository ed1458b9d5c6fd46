import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../../fakes/certificate.ts';
import { jsonOf, listOf, type SecretJson } from '../../harness/answers.ts';
import { listBothWays } from '../../harness/both-lists.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import { becomes } from '../../integration/replicas.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';

const DAY = 86_400;
const TLS = { type: 'kubernetes.io/tls' };

const here = openNamespaceFixture('test');

const encoded = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');
const tokenOf = (claims: unknown, header: unknown = { alg: 'RS256' }): string =>
  `${encoded(header)}.${encoded(claims)}.${encoded('signature')}`;
const inDays = (days: number): number => Math.floor(Date.now() / 1_000) + days * DAY;
const textOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
const certificateOf = (days: number): string => makeCertificate('web', { validTo: days * DAY }).cert;

/** What the lists, live and from memory, say of a Secret with these values; a detail must say the same. */
async function summaryOf(values: Parameters<typeof nativeSecret>[1], more: object = {}): Promise<SecretJson> {
  await here.stack.kube.createSecret(here.namespace, nativeSecret('a', values, more));
  const [summary] = listOf(await listBothWays(here.stack.admin, here.namespace)).secrets;
  const { valueExpiresAt } = await here.secrets.read('a');
  expect(summary?.valueExpiresAt).toBe(valueExpiresAt);
  if (summary === undefined) throw new Error('it should be listed');
  return summary;
}
const expiryOf = async (...given: Parameters<typeof summaryOf>): Promise<string | undefined> =>
  (await summaryOf(...given)).valueExpiresAt;

describe('valueExpiresAt', () => {
  it.each([
    ['ca.crt', 'Opaque'],
    ['tls.crt', 'Opaque'],
    ['anything.pem', 'example.com/any'],
    ['ca.crt', 'kubernetes.io/tls'],
  ])('is when the certificate in %s of the type %s expires', async (key, type) => {
    const { cert } = makeCertificate('web', { validTo: 90 * DAY });
    const own = type === TLS.type ? { 'tls.crt': '', 'tls.key': '' } : {};
    const expiry = Date.parse((await expiryOf({ ...own, [key]: cert }, { type })) ?? '');
    expect(Math.abs(expiry / 1_000 - inDays(90))).toBeLessThan(60);
  });

  it('is the soonest of a chain, whatever order it has', async () => {
    const chain = [certificateOf(90), certificateOf(30), certificateOf(60)].join('');
    const expiry = Date.parse((await expiryOf({ 'ca.crt': chain })) ?? '');
    expect(Math.abs(expiry / 1_000 - inDays(30))).toBeLessThan(60);
  });

  it('is the soonest of all values', async () => {
    const exp = inDays(10);
    const values = {
      'ca.crt': certificateOf(90),
      early: tokenOf({ exp }),
      late: tokenOf({ exp: inDays(50) }),
    };
    expect(await expiryOf(values)).toBe(textOf(exp));
  });

  it('does not repeat tls.crt of a TLS type, which is certificateNotAfter alone', async () => {
    const { cert, key } = makeCertificate('web');
    const summary = await summaryOf({ 'tls.crt': cert, 'tls.key': key }, TLS);
    expect(summary).toHaveProperty('certificateNotAfter');
    expect(summary).not.toHaveProperty('valueExpiresAt');
  });

  it('is beside certificateNotAfter where a CA expires at another time', async () => {
    const { cert, key } = makeCertificate('web');
    const values = { 'tls.crt': cert, 'tls.key': key, 'ca.crt': certificateOf(90) };
    const { certificateNotAfter, valueExpiresAt } = await summaryOf(values, TLS);
    expect(Date.parse(valueExpiresAt ?? '')).toBeGreaterThan(
      Date.parse(certificateNotAfter ?? '') + 80 * DAY,
    );
  });

  it.each([
    ['whole seconds', 1_893_456_000, '2030-01-01T00:00:00Z'],
    ['a fraction, rounded down', 1_893_456_000.9, '2030-01-01T00:00:00Z'],
    ['a time that has passed', 946_684_800, '2000-01-01T00:00:00Z'],
    ['the last second of RFC 3339', 253_402_300_799, '9999-12-31T23:59:59Z'],
  ])('is the exp of a JWT: %s', async (_what, exp, expected) => {
    expect(await expiryOf({ token: `${tokenOf({ exp, sub: 'planted' })}\n` })).toBe(expected);
  });

  it('is read of a JWT that is not verified, with any algorithm and without a signature', async () => {
    const unsigned = `${encoded({ alg: 'none' })}.${encoded({ exp: 1_893_456_000 })}.`;
    expect(await expiryOf({ token: unsigned })).toBe('2030-01-01T00:00:00Z');
  });

  it.each([
    ['a text', { exp: '1893456000' }],
    ['negative', { exp: -1 }],
    ['1e300', '{"exp":1e300}'],
    ['beyond every number', '{"exp":1e999}'],
    ['after the year 9999', { exp: 253_402_300_800 }],
    ['null', { exp: null }],
    ['a list', { exp: [1_893_456_000] }],
    ['nested', { claims: { exp: 1_893_456_000 } }],
    ['inherited', '{"__proto__":{"exp":1893456000}}'],
    ['in a list', [{ exp: 1_893_456_000 }]],
    ['absent', {}],
  ])('is absent where exp is %s', async (_what, claims) => {
    expect(await summaryOf({ token: tokenOf(claims) })).not.toHaveProperty('valueExpiresAt');
  });

  const good = tokenOf({ exp: 1_893_456_000 });
  const [head = '', claims = ''] = good.split('.');
  it.each<readonly [string, string | Uint8Array]>([
    ['no value', ''],
    ['two parts', `${head}.${claims}`],
    ['four parts', `${good}.${claims}`],
    ['five parts, as encryption has', `${good}.${claims}.${claims}`],
    ['a header without an algorithm', tokenOf({ exp: 1_893_456_000 }, { typ: 'JWT' })],
    ['a header that is no JSON', `eyJhbGc.${claims}.`],
    ['claims that are no JSON', `${head}.eyJleHAi.`],
    ['claims that are no base64', `${head}.!!!!.`],
    ['brackets without end', `${head}.${encoded('['.repeat(40_000))}.`],
    ['a token within other text', `token=${good}`],
    ['bytes', Uint8Array.of(0x65, 0x79, 0x4a, 0xff, 0x2e, 0x2e, 0x00)],
    ['a private key', makeCertificate('web').key],
    ['a certificate without end', certificateOf(1).slice(0, -40)],
    ['a certificate of other bytes', certificateOf(1).replace(/\nM/, '\nN')],
    ['an empty block', '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n'],
    ['a certificate within other text', `{"ca":"${certificateOf(1)}"}`],
  ])('is absent for %s, without an error', async (_what, value) => {
    expect(await summaryOf({ a: value })).not.toHaveProperty('valueExpiresAt');
  });

  it('leaves out what is malformed, and has the rest', async () => {
    const values = { a: 'eyJ.eyJ.eyJ', b: certificateOf(1).slice(0, 80), c: good };
    expect(await expiryOf(values)).toBe('2030-01-01T00:00:00Z');
  });
});

describe('the bounds of valueExpiresAt', () => {
  const soon = tokenOf({ exp: 1_767_225_600 });
  const late = tokenOf({ exp: 1_893_456_000 });

  it('are 8 values of a Secret: of 1,000 that look like tokens the first ones count', async () => {
    const values = Array.from({ length: 1_000 }, (_, index) => [`k${1_000 + index}`, late] as const);
    expect(await expiryOf([...values.slice(0, 7), ['k1007', soon], ...values.slice(8)])).toBe(
      '2026-01-01T00:00:00Z',
    );
    await here.stack.kube.deleteSecret(here.namespace, 'a');
    expect(await expiryOf([...values.slice(0, 8), ['k1008', soon], ...values.slice(9)])).toBe(
      '2030-01-01T00:00:00Z',
    );
  });

  it('do not count values that only begin like a token, such as base64 of JSON', async () => {
    const values = Array.from({ length: 20 }, (_, index) => [`k${10 + index}`, encoded({ a: 'b' })] as const);
    expect(await expiryOf([...values, ['z', late]])).toBe('2030-01-01T00:00:00Z');
  });

  it('are 64 KiB: a longer token is not read, and does not hide the next value', async () => {
    const huge = tokenOf({ exp: 1_767_225_600, padding: 'x'.repeat(65_536) });
    expect(await expiryOf({ a: huge, b: late })).toBe('2030-01-01T00:00:00Z');
  });

  it('are few certificates of a value: of a megabyte the first ones count, and the next value does', async () => {
    const one = certificateOf(90);
    const bundle = one.repeat(Math.floor(700_000 / one.length)) + certificateOf(1);
    const expiry = Date.parse((await expiryOf({ 'ca.crt': bundle })) ?? '') / 1_000;
    expect(Math.abs(expiry - inDays(90))).toBeLessThan(60);
    await here.stack.kube.deleteSecret(here.namespace, 'a');
    const exp = inDays(2);
    expect(await expiryOf({ 'ca.crt': bundle, token: tokenOf({ exp }) })).toBe(textOf(exp));
  });
});

describe('where valueExpiresAt takes part', () => {
  it('GET /api/expiring has it in its order', async () => {
    const { kube, admin } = here.stack;
    await kube.createSecret(here.namespace, nativeSecret('token', { token: tokenOf({ exp: inDays(5) }) }));
    await kube.createSecret(here.namespace, nativeSecret('later', { token: tokenOf({ exp: inDays(60) }) }));
    await here.secrets.create('first', { expiresAt: textOf(inDays(4)) });
    await here.secrets.create('last', { expiresAt: textOf(inDays(6)) });
    const names = async () =>
      (jsonOf(await admin.get('/api/expiring'), 200) as { items: SecretJson[] }).items
        .filter(({ namespace }) => namespace === here.namespace)
        .map(({ name }) => name);
    await becomes(names, ['first', 'token', 'last']);
  });

  it('the metric has it as kind="value", and ends with the value', async () => {
    const { opsUrl } = await here.stack.anotherService({ env: { SERVICE_EXPIRY_METRICS: 'true' } });
    await here.secrets.create('api', { data: { token: tokenOf({ exp: 1_893_456_000 }) } });
    const lines = async () =>
      (await (await fetch(`${opsUrl}/metrics`)).text())
        .split('\n')
        .filter((line) => line.startsWith('service_secret_expiry_timestamp_seconds{'))
        .filter((line) => line.includes(here.namespace));
    await becomes(lines, [
      `service_secret_expiry_timestamp_seconds{namespace="${here.namespace}",secret="api",kind="value"} 1893456000`,
    ]);
    await here.secrets.update('api', { data: { token: 'changed' } });
    await becomes(lines, []);
  });
});
