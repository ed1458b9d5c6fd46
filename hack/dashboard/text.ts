import { format } from 'prettier';
import { dashboard } from './dashboard.ts';

export const DASHBOARD_FILE = new URL(
  '../../kustomize/components/grafana-dashboard/dashboard.json',
  import.meta.url,
);

/** The text of the dashboard's file. */
export function dashboardText(): Promise<string> {
  return format(JSON.stringify(dashboard(), undefined, 2), { parser: 'json', printWidth: 110 });
}
