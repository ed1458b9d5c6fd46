import { hash, randomUUID } from 'node:crypto';
import type { MachineToken, SessionUser } from '../../access/actor.ts';
import { claimAt, type TokenClaims } from '../../contract/token-claims.ts';
import type { AccessLevel } from '../../contract/access-rules.ts';
import { emailKey } from '../../contract/email.ts';
import { isServiceError } from '../../errors/service-error.ts';
import type { LogFields, Logger } from '../../observability/logger.ts';
import type { RequestOrigin } from './requests.ts';

export const SECRET_ACTIONS = [
  'secret.list',
  'secret.create',
  'secret.read',
  'secret.describe',
  'secret.reveal',
  'secret.update',
  'secret.delete',
  'secret.versions',
  'secret.version.read',
  'secret.restore',
  'secret.access',
  'secret.consumers',
  'secret.restart',
  'secret.search',
  'secret.deleted.list',
  'secret.deleted.restore',
  'secret.deleted.remove',
] as const;

export const SESSION_ACTIONS = [
  'session.signIn',
  'session.signInFailed',
  'session.signOut',
  'session.refused',
] as const;

/** The audited actions. `docs/audit.md` is held to this list by a test. */
export const AUDIT_ACTIONS = [...SECRET_ACTIONS, ...SESSION_ACTIONS] as const;

/** These return no value and change nothing, so only a denial is audited. */
const SHOWS_NO_VALUE: readonly SecretAction[] = [
  'secret.list',
  'secret.versions',
  'secret.access',
  'secret.consumers',
  'secret.deleted.list',
];

/** Anyone can cause these as often as they like. A flood of them must not bury the other lines. */
const BOUNDED_OUTCOMES = {
  'session.signInFailed': 'failed',
  'session.signOut': 'succeeded',
  'session.refused': 'denied',
} as const;
export const BOUNDED_ACTIONS = Object.keys(BOUNDED_OUTCOMES) as readonly BoundedAction[];

/** Lines of each bounded action in a minute. Further ones are counted in one more line. */
export const BOUNDED_LINES = 120;

export type SecretAction = (typeof SECRET_ACTIONS)[number];
type BoundedAction = keyof typeof BOUNDED_OUTCOMES;

/** The actor, as audit lines name them. */
export interface AuditActor extends Readonly<Partial<Record<keyof typeof AUDITED_CLAIMS, string>>> {
  /** The email, lowercased. */
  readonly actor: string;
  /** The hex SHA-256 of the provider's subject: the same person under another email, without the claim itself. */
  readonly subject: string;
  /** A hash of the session, the same from the sign-in to the sign-out. */
  readonly session?: string;
  /** Of a person who signed in from a terminal. */
  readonly via?: 'terminal';
  /** Of a machine: the name of its issuer. */
  readonly issuer?: string;
}

export function auditActor(
  user: SessionUser,
  session: string | undefined,
  machine?: MachineToken,
): AuditActor {
  return {
    actor: emailKey(user.email),
    subject: hash('sha256', user.sub, 'hex'),
    ...(session !== undefined && { session }),
    ...(machine !== undefined && { issuer: machine.issuer, ...runOf(machine.claims) }),
  };
}

/** The claims of GitHub, GitLab and the cluster that identify the run that has a token. No other claim is logged. */
const AUDITED_CLAIMS = {
  tokenId: 'jti',
  repositoryId: 'repository_id',
  runId: 'run_id',
  projectId: 'project_id',
  jobId: 'job_id',
  podName: '/kubernetes.io/pod/name',
  podUid: '/kubernetes.io/pod/uid',
} as const;

function runOf(claims: TokenClaims): Partial<Record<keyof typeof AUDITED_CLAIMS, string>> {
  const texts = Object.entries(AUDITED_CLAIMS).flatMap(([field, claim]) => {
    const value = claimAt(claims, claim);
    return typeof value === 'string' ? [[field, value] as const] : [];
  });
  return Object.fromEntries(texts);
}

/** Filled in while a request is handled, and written once when its outcome is final. */
export interface AuditRecord extends RequestOrigin, AuditActor {
  readonly action: SecretAction;
  /** Undefined for a search, which is in all of them. */
  readonly namespace?: string;
  name?: string;
  /** The version counter after the action, or the archived version that was read or restored. */
  version?: number;
  uid?: string;
  /** Whether the change has a note. */
  changeNote?: true;
  /** The name of the one key whose value was requested. */
  key?: string;
  /** The level that a change needs. */
  accessLevel?: AccessLevel;
  /** The name of the Secret that a restore of a deleted one creates. */
  newName?: string;
  history?: 'cleaned' | 'retained';
  /** How many workloads were restarted, and how many were not. */
  restarted?: number;
  failed?: number;
  /** Those that were restarted, as `Deployment/web,StatefulSet/db`: the first of them, when there are many. */
  workloads?: string;
}

export type Audit = ReturnType<typeof createAudit>;

/** Runs the work later, and does not keep the process alive for it. */
type Later = (work: () => void) => void;

const inAMinute: Later = (work) => void setTimeout(work, 60_000).unref();

interface AuditOptions {
  /** Distinguishes one start of the process from another. */
  readonly processId?: string;
  readonly afterAMinute?: Later;
}

/**
 * One structured line, at info and with `component: audit`, per read of values, write, deletion, restore and denial,
 * whatever its outcome, and per sign-in, failed sign-in and sign-out. Lines are numbered without gaps, so that a lost
 * line can be detected.
 */
export function createAudit(
  logger: Logger,
  { processId = randomUUID(), afterAMinute = inAMinute }: AuditOptions = {},
) {
  const line = logger.with({ component: 'audit', process: processId });
  let sequence = 0;
  const write = (fields: LogFields): void => {
    sequence += 1;
    line.info('audit', { ...fields, sequence });
  };
  const budgetOf = (action: BoundedAction) =>
    createLineBudget(afterAMinute, (count) => {
      write({ action, outcome: BOUNDED_OUTCOMES[action], count });
    });
  const budgets = new Map(BOUNDED_ACTIONS.map((action) => [action, budgetOf(action)]));
  const writeBounded = (action: BoundedAction, fields: LogFields): void => {
    if (budgets.get(action)?.take() === true) write({ action, ...fields, outcome: BOUNDED_OUTCOMES[action] });
  };
  return {
    succeeded(record: AuditRecord, outcome: 'succeeded' | 'pending'): void {
      if (!SHOWS_NO_VALUE.includes(record.action)) write({ ...record, outcome });
    },
    failed(record: AuditRecord, error: unknown): void {
      const known = isServiceError(error) ? error : undefined;
      const outcome = outcomeOf(known?.code);
      if (outcome !== 'denied' && SHOWS_NO_VALUE.includes(record.action)) return;
      write({ ...record, outcome, code: known?.code ?? 'internal', reason: known?.reason });
    },
    signedIn(origin: RequestOrigin, actor: AuditActor): void {
      write({ ...origin, ...actor, action: 'session.signIn', outcome: 'succeeded' });
    },
    /** @param code why the login failed: one of the closed list of login failures */
    signInFailed(origin: RequestOrigin, code: string): void {
      writeBounded('session.signInFailed', { ...origin, code });
    },
    signedOut(origin: RequestOrigin, actor: AuditActor): void {
      writeBounded('session.signOut', { ...origin, ...actor });
    },
    /** A session was presented that is not valid. */
    sessionRefused(origin: RequestOrigin, session: string | undefined): void {
      writeBounded('session.refused', { ...origin, session, code: 'unauthenticated' });
    },
    /** Writes what is counted and not yet logged. */
    close(): void {
      for (const one of budgets.values()) one.close();
    },
  };
}

function outcomeOf(code: string | undefined): 'denied' | 'failed' | 'uncertain' {
  if (code === 'forbidden') return 'denied';
  return code === 'uncertain' ? 'uncertain' : 'failed';
}

/**
 * How many lines of one kind may be written in a minute, which begins with the first of them. Further ones are counted.
 * @param onSkipped is called once at the end of a minute in which lines were skipped, with their number
 */
function createLineBudget(afterAMinute: Later, onSkipped: (count: number) => void) {
  /** Of the current minute, those skipped included; none outside of one. */
  let lines = 0;
  const reportSkipped = (): void => {
    const skipped = lines - BOUNDED_LINES;
    lines = Math.min(lines, BOUNDED_LINES);
    if (skipped > 0) onSkipped(skipped);
  };
  const endMinute = (): void => {
    reportSkipped();
    lines = 0;
  };
  return {
    /** Whether the line may be written. */
    take(): boolean {
      if (lines === 0) afterAMinute(endMinute);
      lines += 1;
      return lines <= BOUNDED_LINES;
    },
    /** Reports the lines skipped in the current minute. */
    close: reportSkipped,
  };
}
