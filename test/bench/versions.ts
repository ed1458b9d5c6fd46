import { ADMIN, clientFor } from '../harness/api-client.ts';
import { secretOf } from '../harness/answers.ts';
import { secretsOf } from '../harness/secrets-client.ts';
import { onBenchFixture, say } from './fixture.ts';

/** The versions of a large Secret: compared the first time, and then read from what was recorded. */
const VERSIONS = 120;
const BYTES = 1_000_000;
const ATTEMPTS = 6;

await onBenchFixture(async (fixture) => {
  const service = await fixture.service({
    env: {
      LOG_LEVEL: 'error',
      SERVICE_HISTORY_LIMIT: String(VERSIONS + 10),
      SERVICE_RATE_LIMIT: 'off',
    },
  });
  const client = await clientFor(service.url, ADMIN);
  const secrets = secretsOf(client, await fixture.fill(0, 0));
  const body = (version: number) => ({ data: { key: String(version).padEnd(BYTES, 'x') } });
  let { resourceVersion } = await secrets.create('large', body(1));
  for (let version = 2; version <= VERSIONS + 1; version++)
    ({ resourceVersion } = secretOf(
      await client.put(secrets.path('large'), { resourceVersion, ...body(version) }),
    ));
  let status = 0;
  for (let attempt = 1; attempt <= ATTEMPTS && status !== 200; attempt++)
    status = await list(`attempt ${attempt}`);
  await list('recorded');

  async function list(what: string): Promise<number> {
    const before = await readsOf(service.opsUrl);
    const begun = performance.now();
    const answer = await client.get(secrets.path('large', '/versions'));
    say(`${VERSIONS} versions of ${BYTES} bytes, ${what}`, {
      status: answer.status,
      ms: performance.now() - begun,
      'Secrets read': (await readsOf(service.opsUrl)) - before,
    });
    return answer.status;
  }
});

/** Requests for single Secrets. */
async function readsOf(opsUrl: string): Promise<number> {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  const counts = [...metrics.matchAll(/^service_cluster_requests_total\{([^}]*)\} (\d+)/gm)];
  return counts
    .filter(([, labels = '']) => labels.includes('verb="get"') && labels.includes('resource="secrets"'))
    .reduce((sum, [, , count]) => sum + Number(count), 0);
}
