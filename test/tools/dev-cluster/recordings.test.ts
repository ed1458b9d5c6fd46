import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDevCluster, type DevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { type Json } from '../../../hack/dev-cluster/json/json.ts';
import { ClusterClient } from './cluster-client.ts';
import { canonical } from './mask.ts';
import { replay } from './replay.ts';
import { recordedScenarios } from './scenario.ts';

describe.each(recordedScenarios())('the development cluster answers like a real one: $about', (scenario) => {
  let cluster: DevCluster;
  let answers: readonly Json[];

  beforeAll(async () => {
    cluster = await startDevCluster();
    answers = await replay(scenario, new ClusterClient(cluster.url, cluster.adminToken));
  });
  afterAll(() => cluster.close());

  it.each(
    scenario.steps.map((step, index) => ({ title: `${index + 1}. ${step.id.slice(0, 80)}`, step, index })),
  )('$title', ({ step, index }) => {
    expect(canonical(answers[index])).toBe(canonical(step.answer));
  });
});

describe('the recordings', () => {
  it('are all there', () => {
    const steps = recordedScenarios().flatMap((scenario) => scenario.steps);
    expect(steps).toHaveLength(214);
  });
});
