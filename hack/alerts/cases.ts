import { CACHE_CASES } from './cache-cases.ts';
import { CERTIFICATE_CASES } from './certificate-cases.ts';
import { CLUSTER_CASES } from './cluster-cases.ts';
import { AVAILABILITY_CASES } from './availability-cases.ts';
import { HISTORY_CASES } from './history-cases.ts';
import { SIGN_IN_CASES } from './sign-in-cases.ts';
import type { AlertCase } from './case.ts';

/** One case for each alert. */
export const CASES: readonly AlertCase[] = [
  ...AVAILABILITY_CASES,
  ...CLUSTER_CASES,
  ...SIGN_IN_CASES,
  ...HISTORY_CASES,
  ...CACHE_CASES,
  ...CERTIFICATE_CASES,
];
