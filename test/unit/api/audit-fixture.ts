import {
  type BOUNDED_ACTIONS,
  BOUNDED_LINES,
  auditActor,
  createAudit,
  type Audit,
  type AuditRecord,
  type SecretAction,
} from '../../../src/api/runner/audit.ts';
import type { RequestOrigin } from '../../../src/api/runner/requests.ts';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { recordingLogger } from '../observability/log-lines.ts';

export const SHOWS_NO_VALUE: readonly string[] = [
  'secret.list',
  'secret.versions',
  'secret.access',
  'secret.consumers',
  'secret.deleted.list',
];

export const ORIGIN: RequestOrigin = {
  requestId: 'request-1',
  clientRequestId: 'trace-1',
  clientAddress: '192.0.2.7',
};

const USER = { sub: 'subject-1', email: 'Dev@Example.com', name: 'Dev', groups: ['planted-group'] };

export const PROCESS = 'process-1';

export const ACTOR = auditActor(USER, 'session-hash');

/** Of a token with every claim that is logged, and one that is not. */
export const MACHINE = auditActor(
  { sub: 'machine:team-a/deploy', email: 'machine:team-a/deploy', name: 'x', groups: [] },
  undefined,
  {
    issuer: 'ci',
    claims: {
      jti: 'token-1',
      repository_id: '1',
      run_id: '2',
      project_id: '3',
      job_id: '4',
      'kubernetes.io': { pod: { name: 'job-1', uid: '5' } },
      sub: 'planted-claim',
    },
    isEnded: () => false,
  },
);

export function fixture() {
  const { logger, lines, text } = recordingLogger();
  return { audit: createAudit(logger, PROCESS), lines, text };
}

/** What anyone can cause, by its action. */
export const BOUNDED: Readonly<Record<(typeof BOUNDED_ACTIONS)[number], (audit: Audit) => void>> = {
  'session.signInFailed': (audit) => {
    audit.session('session.signInFailed', { ...ORIGIN, code: 'state_mismatch' });
  },
  'session.signOut': (audit) => {
    audit.session('session.signOut', { ...ORIGIN, ...ACTOR });
  },
  'session.refused': (audit) => {
    audit.session('session.refused', { ...ORIGIN, session: 'session-hash', code: 'unauthenticated' });
  },
};

/** One line of each kind. */
export function writeEverything(audit: Audit): void {
  audit.succeeded(record('secret.delete'), 'succeeded');
  audit.failed(bare('secret.update'), new ServiceError('conflict', 'x', { reason: 'writeRace' }));
  audit.succeeded({ ...bare('secret.read'), ...MACHINE }, 'succeeded');
  audit.session('session.signIn', { ...ORIGIN, ...ACTOR, via: 'terminal' });
  for (const write of Object.values(BOUNDED)) for (let n = 0; n <= BOUNDED_LINES; n++) write(audit);
  audit.close();
}

/** A record with all that a request can have learned. */
export function record(action: SecretAction): AuditRecord {
  return {
    ...bare(action),
    clientRequestId: 'trace-1',
    name: 'db',
    newName: 'db-again',
    version: 3,
    uid: 'uid-1',
    key: 'password',
    changeNote: true,
    accessLevel: 'manage',
    history: 'cleaned',
    restarted: 2,
    failed: 1,
    workloads: 'Deployment/web,StatefulSet/db',
  };
}

export function bare(action: SecretAction): AuditRecord {
  return {
    action,
    actor: 'dev@example.com',
    subject: '0123',
    requestId: 'request-1',
    clientAddress: '192.0.2.7',
    namespace: 'team-a',
  };
}
