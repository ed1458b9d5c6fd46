import type { Mutant } from './mutant.ts';
import { ACCESS } from './mutants/access.ts';
import { CACHES } from './mutants/caches.ts';
import { CONTROLLER } from './mutants/controller.ts';
import { DELETED_SECRETS } from './mutants/deleted-secrets.ts';
import { HISTORY_RULES } from './mutants/history-rules.ts';
import { HISTORY_WRITES } from './mutants/history-writes.ts';
import { INFORMERS } from './mutants/informers.ts';
import { MACHINES } from './mutants/machines.ts';
import { RECONCILER } from './mutants/reconciler.ts';
import { SECRETS_CHECKS } from './mutants/secrets-checks.ts';
import { SECRETS_READS } from './mutants/secrets-reads.ts';
import { SECRETS_WRITES } from './mutants/secrets-writes.ts';

/** Every planted bug. docs/contributing.md says how to add one. */
export const MUTANTS: readonly Mutant[] = [
  ...HISTORY_WRITES,
  ...HISTORY_RULES,
  ...RECONCILER,
  ...SECRETS_WRITES,
  ...SECRETS_READS,
  ...SECRETS_CHECKS,
  ...DELETED_SECRETS,
  ...ACCESS,
  ...MACHINES,
  ...CONTROLLER,
  ...INFORMERS,
  ...CACHES,
];
