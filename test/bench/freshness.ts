import { clientFor, ADMIN } from '../harness/api-client.ts';
import { listOf } from '../harness/answers.ts';
import { nativeSecret, secretsPath } from '../harness/secret-paths.ts';
import { onBenchFixture, percentile, say } from './fixture.ts';

/** From the cluster's answer to a change outside the service until a list from the cache shows it. */
await onBenchFixture(async (fixture) => {
  const namespace = await fixture.fill(200, 2_048);
  const service = await fixture.service({ env: { LOG_LEVEL: 'warn' } });
  const admin = await clientFor(service.url, ADMIN);
  const times: number[] = [];
  for (let round = 0; round < 200; round++) {
    const name = `fresh-${round}`;
    await fixture.kube.createSecret(namespace, nativeSecret(name, { key: 'value' }));
    const begun = performance.now();
    for (;;) {
      const { secrets } = listOf(await admin.get(secretsPath(namespace)));
      if (secrets.some((secret) => secret.name === name)) break;
    }
    times.push(performance.now() - begun);
  }
  say('from a change to its appearance in a list', {
    'p50 ms': percentile(times, 0.5),
    'p99 ms': percentile(times, 0.99),
  });
});
