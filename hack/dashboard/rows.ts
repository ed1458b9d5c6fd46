import { CLUSTER, HISTORY, LISTS } from './cluster-rows.ts';
import type { Row } from './panel.ts';
import { OVERVIEW, PROCESS, REQUESTS, SIGN_IN } from './service-rows.ts';

/**
 * What the Grafana dashboard shows; `npm run dashboard` writes
 * kustomize/components/grafana-dashboard/dashboard.json from this.
 */
export const ROWS: readonly Row[] = [OVERVIEW, REQUESTS, CLUSTER, SIGN_IN, HISTORY, LISTS, PROCESS];
