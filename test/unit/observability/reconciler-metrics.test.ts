import { expect, it } from 'vitest';
import { createMetrics, type Metrics } from '../../../src/observability/metrics.ts';

async function samples(metrics: Metrics): Promise<readonly string[]> {
  const { body } = await metrics.expose();
  return body.split('\n').filter((line) => line.startsWith('service_'));
}

it('the reconciler is measured by its steps, outcomes, queue, snapshots and leadership', async () => {
  const metrics = createMetrics('1');
  const { reconciler } = metrics;
  reconciler.setLeader(true);
  reconciler.setSnapshots({ bound: 5, orphaned: 2, inconsistent: 1 });
  reconciler.countStep('prune');
  reconciler.countStep('prune');
  reconciler.observeReconcile('later', 0.2);
  reconciler.setQueue(3, 1.5);
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
  const { watches } = metrics;
  watches.countEvent('history', 'added');
  watches.countRelist('history', 'expired');
  watches.setSilence('history', 12);
  watches.setWatches('history', 3);
  watches.addRightMissing('history', 1);
  watches.addRightMissing('history', 1);
  watches.addRightMissing('history', -1);
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
    metrics.reconciler.setQueue(++depth, 0);
  });
  expect(await samples(metrics)).toContain('service_reconcile_queue_depth 1');
  expect(await samples(metrics)).toContain('service_reconcile_queue_depth 2');
});
