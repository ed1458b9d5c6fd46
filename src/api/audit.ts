import { isServiceError } from '../errors/service-error.ts';
import type { Logger } from '../observability/logger.ts';

/** What is audited. `docs/audit.md` is held to this list by a test. */
export const AUDIT_ACTIONS = [
  'secret.list',
  'secret.create',
  'secret.read',
  'secret.update',
  'secret.delete',
  'secret.versions',
  'secret.version.read',
  'secret.restore',
  'secret.consumers',
  'secret.restart',
] as const;

/** These show no value and change nothing: only a denial of them is worth a line. */
const SHOWS_NO_VALUE: readonly AuditAction[] = ['secret.list', 'secret.versions', 'secret.consumers'];

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/** Filled in while a request is handled; written once, when its outcome is known. */
export interface AuditRecord {
  readonly action: AuditAction;
  /** The actor's own email, lowercased. */
  readonly actor: string;
  readonly requestId: string;
  readonly namespace: string;
  name?: string;
  /** The version counter after the action, or the archived version that was read or restored. */
  version?: number;
  uid?: string;
  history?: 'cleaned' | 'retained';
  /** How many workloads were restarted, and how many were not. */
  restarted?: number;
  failed?: number;
  /** Those that were restarted, as `Deployment/web,StatefulSet/db`: the first of them, when there are many. */
  workloads?: string;
}

export interface Audit {
  succeeded(record: AuditRecord, outcome: 'succeeded' | 'pending'): void;
  failed(record: AuditRecord, error: unknown): void;
}

/**
 * One structured line, at info and with `component: audit`, per read of values, write, deletion, restore
 * and denial, whatever its outcome.
 */
export function createAudit(logger: Logger): Audit {
  const line = logger.with({ component: 'audit' });
  return {
    succeeded(record, outcome) {
      if (!SHOWS_NO_VALUE.includes(record.action)) line.info('audit', { ...record, outcome });
    },
    failed(record, error) {
      const known = isServiceError(error) ? error : undefined;
      const outcome = outcomeOf(known?.code);
      if (outcome !== 'denied' && SHOWS_NO_VALUE.includes(record.action)) return;
      line.info('audit', { ...record, outcome, code: known?.code ?? 'internal', reason: known?.reason });
    },
  };
}

function outcomeOf(code: string | undefined): 'denied' | 'failed' | 'uncertain' {
  if (code === 'forbidden') return 'denied';
  return code === 'uncertain' ? 'uncertain' : 'failed';
}
