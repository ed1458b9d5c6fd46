import { expect, it } from 'vitest';
import { createMetrics, type Metrics } from '../../../src/observability/metrics.ts';

async function samples(metrics: Metrics): Promise<readonly string[]> {
  const { body } = await metrics.expose();
  return body.split('\n').filter((line) => line.startsWith('service_'));
}

it('the reconciler is measured by its steps, outcomes, queue, snapshots and leadership', async () => {
  const metrics = createMetrics('1');
  metrics.set('service_leader', true);
  for (const [state, count] of [
    ['bound', 5],
    ['orphaned', 2],
    ['inconsistent', 1],
  ] as const) {
    metrics.set('service_history_snapshots', count, { state });
  }
  metrics.inc('service_history_steps_total', { step: 'prune' });
  metrics.inc('service_history_steps_total', { step: 'prune' });
  metrics.inc('service_reconcile_total', { outcome: 'later' });
  metrics.observe('service_reconcile_duration_seconds', 0.2);
  metrics.set('service_reconcile_queue_depth', 3);
  metrics.set('service_reconcile_queue_age_seconds', 1.5);
  const lines = await samples(metrics);
  for (const line of [
    'service_leader 1',
    'service_history_snapshots{state="bound"} 5',
    'service_history_snapshots{state="orphaned"} 2',
    'service_history_snapshots{state="inconsistent"} 1',
    'service_history_steps_total{step="prune"} 2',
    'service_reconcile_total{outcome="later"} 1',
    'service_reconcile_duration_seconds_sum 0.2',
    'service_reconcile_queue_depth 3',
    'service_reconcile_queue_age_seconds 1.5',
  ]) {
    expect(lines).toContain(line);
  }
});

it('watches are measured by what they bring, why they list, their number, their silence and the rights they lack', async () => {
  const metrics = createMetrics('1');
  metrics.inc('service_watch_events_total', { informer: 'history', kind: 'added' });
  metrics.inc('service_watch_relists_total', { informer: 'history', reason: 'expired' });
  metrics.set('service_watch_silence_seconds', 12, { informer: 'history' });
  metrics.set('service_watches', 3, { informer: 'history' });
  metrics.add('service_watch_rights_missing', 1, { informer: 'history' });
  metrics.add('service_watch_rights_missing', 1, { informer: 'history' });
  metrics.add('service_watch_rights_missing', -1, { informer: 'history' });
  const lines = await samples(metrics);
  for (const line of [
    'service_watch_events_total{informer="history",kind="added"} 1',
    'service_watch_relists_total{informer="history",reason="expired"} 1',
    'service_watch_silence_seconds{informer="history"} 12',
    'service_watches{informer="history"} 3',
    'service_watch_rights_missing{informer="history"} 1',
  ]) {
    expect(lines).toContain(line);
  }
});

it('what is cheaper to read than to follow is read with each exposition', async () => {
  const metrics = createMetrics('1');
  let depth = 0;
  metrics.onExpose(() => {
    metrics.set('service_reconcile_queue_depth', ++depth);
  });
  expect(await samples(metrics)).toContain('service_reconcile_queue_depth 1');
  expect(await samples(metrics)).toContain('service_reconcile_queue_depth 2');
});
