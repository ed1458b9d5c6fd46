import { hash, randomUUID } from 'node:crypto';
import type { MachineToken, SessionUser } from '../../access/actor.ts';
import { claimAt } from '../../contract/token-claims.ts';
import type { AccessLevel } from '../../contract/access-rules.ts';
import { emailKey } from '../../contract/email.ts';
import { isServiceError, type ErrorCode } from '../../errors/service-error.ts';
import type { LogFields, Logger } from '../../observability/logger.ts';
import type { RequestOrigin } from './requests.ts';

/** When an action has a line. Those that return no value and change nothing have one only when they are denied. */
const SECRET_LINES = {
  'secret.list': 'denied',
  'secret.create': 'always',
  'secret.read': 'always',
  'secret.describe': 'always',
  'secret.reveal': 'always',
  'secret.update': 'always',
  'secret.delete': 'always',
  'secret.versions': 'denied',
  'secret.version.read': 'always',
  'secret.restore': 'always',
  'secret.access': 'denied',
  'secret.consumers': 'denied',
  'secret.restart': 'always',
  'secret.search': 'always',
  'secret.deleted.list': 'denied',
  'secret.deleted.restore': 'always',
  'secret.deleted.remove': 'always',
} as const;
export const SECRET_ACTIONS = Object.keys(SECRET_LINES) as readonly SecretAction[];

const SESSION_OUTCOMES = {
  'session.signIn': 'succeeded',
  'session.signInFailed': 'failed',
  'session.signOut': 'succeeded',
  'session.refused': 'denied',
} as const;

/** Anyone can cause these as often as they like. A flood of them must not bury the other lines. */
export const BOUNDED_ACTIONS = ['session.signInFailed', 'session.signOut', 'session.refused'] as const;

/** Lines of each bounded action in a minute. Further ones are counted in one more line. */
export const BOUNDED_LINES = 120;
const VERIFIED_TOKEN = 'verified token';

export type SecretAction = keyof typeof SECRET_LINES;
type SessionAction = keyof typeof SESSION_OUTCOMES;

/** The audited actions. `docs/audit.md` is held to this list by a test. */
export const AUDIT_ACTIONS = [...SECRET_ACTIONS, ...Object.keys(SESSION_OUTCOMES)];

/** The actor, as audit lines name them. */
export interface AuditActor extends Readonly<Partial<Record<keyof typeof AUDITED_CLAIMS, string>>> {
  /** The email, lowercased. */
  readonly actor: string;
  /** The hex SHA-256 of the provider's subject: the same person under another email, without the claim itself. */
  readonly subject: string;
  /** A hash of the session, the same from the sign-in to the sign-out. */
  readonly session?: string | undefined;
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
    session,
    ...(machine && auditedMachine(machine)),
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

/** What a verified token says of a machine, whatever binding it has. */
export function auditedMachine({ issuer, claims }: MachineToken): Partial<AuditActor> {
  const texts = Object.entries(AUDITED_CLAIMS).flatMap(([field, claim]) => {
    const value = claimAt(claims, claim);
    return typeof value === 'string' ? [[field, value] as const] : [];
  });
  return { issuer, ...Object.fromEntries(texts) };
}

/** Filled in while a request is handled, and written once when its outcome is final. */
export interface AuditRecord extends RequestOrigin, AuditActor {
  readonly action: SecretAction;
  /** Undefined for a search, which is in all of them. */
  readonly namespace?: string | undefined;
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

/** What a line about a session has beyond its action and outcome. */
interface SessionFields extends RequestOrigin, Partial<AuditActor>, Pick<AuditRecord, 'namespace'> {
  /** Why the sign-in failed, one of the closed list of login failures; or why the session was refused. */
  readonly code?: string;
}

/**
 * One structured line, at info and with `component: audit`, per read of values, write, deletion, restore and denial,
 * whatever its outcome, and per sign-in, failed sign-in and sign-out. Lines are numbered without gaps, so that a lost
 * line can be detected.
 * @param processId distinguishes one start of the process from another
 */
export function createAudit(logger: Logger, processId: string = randomUUID()) {
  const line = logger.with({ component: 'audit', process: processId });
  let sequence = 0;
  const write = (fields: LogFields): void => {
    sequence += 1;
    line.info('audit', { ...fields, sequence });
  };
  const budgetOf = (action: SessionAction): LineBudget =>
    createLineBudget((count) => {
      write({ action, outcome: SESSION_OUTCOMES[action], count });
    });
  const budgets = new Map<string, LineBudget>(BOUNDED_ACTIONS.map((action) => [action, budgetOf(action)]));
  // What anyone can cause must not hide what is done with a verified token.
  budgets.set(VERIFIED_TOKEN, budgetOf('session.refused'));
  return {
    succeeded(record: AuditRecord, outcome: 'succeeded' | 'pending'): void {
      if (SECRET_LINES[record.action] === 'always') write({ ...record, outcome });
    },
    failed(record: AuditRecord, error: unknown): void {
      const { code, reason } = isServiceError(error) ? error : ({ code: 'internal' } as const);
      const outcome = FAILURES[code] ?? 'failed';
      if (outcome === 'denied' || SECRET_LINES[record.action] === 'always')
        write({ ...record, outcome, code, reason });
    },
    session(action: SessionAction, fields: SessionFields): void {
      const mayWrite = budgets.get(fields.issuer === undefined ? action : VERIFIED_TOKEN)?.take() ?? true;
      if (mayWrite) write({ action, ...fields, outcome: SESSION_OUTCOMES[action] });
    },
    /** Writes what is counted and not yet logged. */
    close(): void {
      for (const budget of budgets.values()) budget.close();
    },
  };
}

export type Audit = ReturnType<typeof createAudit>;

/** The outcome by the code of the error; all others have failed. */
const FAILURES: Partial<Record<ErrorCode, string>> = { forbidden: 'denied', uncertain: 'uncertain' };

type LineBudget = ReturnType<typeof createLineBudget>;

/**
 * How many lines of one kind may be written in a minute, which begins with the first of them. Further ones are counted.
 * @param onSkipped is called once at the end of a minute in which lines were skipped, with their number
 */
function createLineBudget(onSkipped: (count: number) => void) {
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
      if (lines === 0) setTimeout(endMinute, 60_000).unref();
      lines += 1;
      return lines <= BOUNDED_LINES;
    },
    /** Reports the lines skipped in the current minute. */
    close: reportSkipped,
  };
}
