/** Writes the dashboard's JSON, in the form that the formatter leaves alone. */
import { writeFileSync } from 'node:fs';
import { DASHBOARD_FILE, dashboardText } from './text.ts';

writeFileSync(DASHBOARD_FILE, await dashboardText());
