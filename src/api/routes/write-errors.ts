import type { ErrorCode } from '../../errors/service-error.ts';

/** Errors of every write of a Secret. */
export const WRITE_ERRORS = [
  'invalidSecret',
  'rejected',
  'admissionRefused',
  'uncertain',
] as const satisfies readonly ErrorCode[];

/** Errors of an update and of a restore: both archive the previous state, then replace the live one. */
export const REPLACE_ERRORS = [
  ...WRITE_ERRORS,
  'staleRevision',
  'conflict',
  'snapshotCollision',
  'historyUnavailable',
  'listOverBudget',
] as const satisfies readonly ErrorCode[];
