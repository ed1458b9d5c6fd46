import { expect, it } from 'vitest';
import { consumerRoutes } from '../../../../src/api/routes/workload-routes.ts';

it('the audit line of a restart names at most 50 workloads, and counts them all', async () => {
  const restarted = Array.from({ length: 51 }, (_, index) => ({ kind: 'Deployment', name: `w-${index}` }));
  const audit: { restarted?: number; workloads?: string } = {};
  const consumers = { restart: () => Promise.resolve({ restarted, failed: [] }) };
  const route = consumerRoutes.find(({ operationId }) => operationId === 'restartConsumers');
  await route?.handle({ services: { consumers }, input: () => ({}), audit } as never);
  expect(audit.restarted).toBe(51);
  const names = restarted.slice(0, 50).map(({ kind, name }) => `${kind}/${name}`);
  expect(audit.workloads).toBe(names.join(','));
});
