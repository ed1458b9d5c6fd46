import { describe, expect, it } from 'vitest';
import { makeCertificate } from '../../fakes/certificate.ts';
import { errorOf, jsonOf, listOf, type SecretJson } from '../../harness/answers.ts';
import { clientFor, DEVELOPER_A, type ApiClient } from '../../harness/api-client.ts';
import { nativeSecret } from '../../harness/secret-paths.ts';
import { becomes } from '../../integration/replicas.ts';
import { openNamespaceFixture } from './namespace-fixture.ts';

const DAY_MS = 86_400_000;
const inDays = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

const here = openNamespaceFixture('test');

interface ExpiringJson {
  readonly items: readonly SecretJson[];
  readonly more: boolean;
}

describe('GET /api/expiring', () => {
  const expiring = async (query = '', client: ApiClient = here.stack.admin): Promise<ExpiringJson> =>
    jsonOf(await client.get(`/api/expiring${query}`), 200) as ExpiringJson;
  const names = async (query?: string, client?: ApiClient) =>
    (await expiring(query, client)).items
      .filter(({ namespace }) => namespace === here.namespace)
      .map(({ name }) => name);

  it('answers certificates, declared dates and due rotations together, the soonest first', async () => {
    const { cert, key } = makeCertificate('web');
    const tls = nativeSecret('tls', { 'tls.crt': cert, 'tls.key': key }, { type: 'kubernetes.io/tls' });
    await here.stack.kube.createSecret(here.namespace, tls);
    const { certificateNotAfter = '' } = await here.secrets.read('tls');
    const days = (Date.parse(certificateNotAfter) - Date.now()) / DAY_MS;
    await here.secrets.create('expired', { expiresAt: inDays(-40) });
    await here.secrets.create('declared', { expiresAt: inDays(days + 1) });
    await here.secrets.create('rotation', { rotateEvery: '1h' });
    await here.secrets.create('both', { expiresAt: inDays(days + 500), rotateEvery: '2h' });
    await here.secrets.create('later', { expiresAt: inDays(days + 400) });
    await here.secrets.create('never');
    const within = `?within=${Math.ceil(days + 2)}d`;
    await becomes(() => names(within), ['expired', 'rotation', 'both', 'tls', 'declared']);
    expect(await names('?within=1h')).toEqual(['expired', 'rotation']);
  });

  it('looks 30 days ahead by default, and shows summaries without values', async () => {
    await here.secrets.create('soon', { data: { a: 'planted' }, expiresAt: inDays(29) });
    await here.secrets.create('later', { expiresAt: inDays(31) });
    await becomes(() => names(), ['soon']);
    const { items } = await expiring();
    const { secrets } = listOf(await here.stack.admin.get(here.secrets.path()));
    expect(items.find(({ namespace }) => namespace === here.namespace)).toEqual(
      secrets.find(({ name }) => name === 'soon'),
    );
    expect(JSON.stringify(items)).not.toContain('planted');
  });

  it('shows only what one may see', async () => {
    const stranger = await clientFor(here.stack.service.url, { ...DEVELOPER_A, groups: ['elsewhere'] });
    const expiresAt = inDays(1);
    await here.secrets.create('open', { expiresAt });
    await here.secrets.create('closed', { expiresAt, allowedGroups: ['team-x'] });
    await becomes(() => names(), ['closed', 'open']);
    await becomes(() => names('', stranger), ['open']);
    errorOf(await here.stack.anonymous.get('/api/expiring'), 401);
  });

  it('says that there may be more where the policy of a namespace is unusable, but not to administrators', async () => {
    await here.secrets.create('a', { expiresAt: inDays(1) });
    await here.stack.kube.setPolicy(here.namespace, { allowedUsers: 'broken' });
    await becomes(async () => (await expiring('', here.stack.developerA)).more, true);
    expect(await names('', here.stack.developerA)).toEqual([]);
    expect((await expiring()).more).toBe(false);
    await here.stack.kube.setPolicy(here.namespace, {});
  });

  it.each([
    'within=',
    'within=59m',
    'within=3651d',
    'within=30',
    'within=planted',
    'within=-1d',
    'within=1d&within=1d',
    `within=${'9'.repeat(5_000)}d`,
  ])('?%s answers 400, without repeating it', async (query) => {
    const text = errorOf(await here.stack.admin.get(`/api/expiring?${query}`), 400);
    expect(text).toMatch(/^within must be (a duration from 1h to 3650d|given once)/);
    expect(text).not.toContain('planted');
  });

  it('has the headers of a search, and no line in the audit log', async () => {
    const answer = await here.stack.admin.get('/api/expiring');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const id = answer.headers.get('x-request-id');
    const lines = () => here.stack.service.logLines().filter(({ requestId }) => requestId === id);
    await becomes(() => Promise.resolve(lines().map(({ event }) => event)), ['request']);
    errorOf(await here.stack.admin.post('/api/expiring', {}), 405);
  });
});

describe('the metric of what expires', () => {
  const METRIC = 'service_secret_expiry_timestamp_seconds';
  const linesOf = async (opsUrl: string) =>
    (await (await fetch(`${opsUrl}/metrics`)).text())
      .split('\n')
      .filter((line) => line.startsWith(`${METRIC}{`));

  it('is off, unless SERVICE_EXPIRY_METRICS is true', async () => {
    const { opsUrl } = await here.stack.anotherService({ env: { SERVICE_EXPIRY_METRICS: 'true' } });
    await here.secrets.create('db', { expiresAt: '2027-01-31T00:00:00Z', rotateEvery: '30d' });
    const { rotationDueAt = '' } = await here.secrets.read('db');
    const labels = (kind: string) => `{namespace="${here.namespace}",secret="db",kind="${kind}"}`;
    const own = async () => (await linesOf(opsUrl)).filter((line) => line.includes(here.namespace));
    await becomes(own, [
      `${METRIC}${labels('declared')} ${Date.parse('2027-01-31T00:00:00Z') / 1_000}`,
      `${METRIC}${labels('rotation')} ${Date.parse(rotationDueAt) / 1_000}`,
    ]);
    expect(await linesOf(here.stack.service.opsUrl)).toEqual([]);
    await here.secrets.update('db', { expiresAt: '', rotateEvery: '' });
    await becomes(own, []);
  });
});
