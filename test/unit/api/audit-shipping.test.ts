import { readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import {
  AUDIT_ACTIONS,
  auditActor,
  createAudit,
  SECRET_ACTIONS,
  BOUNDED_LINES,
} from '../../../src/api/runner/audit.ts';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { recordingLogger } from '../observability/log-lines.ts';
import { readDocument } from '../observability/markdown-tables.ts';

// The Fluent Bit filter of docs/operations.md, on lines that the service really writes.

const example = /```ini\n([\s\S]*?)```/.exec(readDocument('operations.md'))?.[1] ?? '';
const [section = '', ...entries] = example.trim().split('\n');
const setting = (name: string): readonly string[] =>
  entries.flatMap((entry) => {
    const [key, ...rest] = entry.trim().split(/ +/);
    return key === name ? [rest.join(' ')] : [];
  });

/** Fluent Bit's grep: a record stays when the field of each Regex matches. */
function keeps(record: Readonly<Record<string, unknown>>): boolean {
  return setting('Regex').every((rule) => {
    const [field = '', pattern = ''] = rule.split(' ');
    const value = record[field];
    return typeof value === 'string' && new RegExp(pattern).test(value);
  });
}

function written() {
  const { logger, lines } = recordingLogger();
  const audit = createAudit(logger);
  const origin = { requestId: 'r', clientAddress: '192.0.2.7' };
  const actor = auditActor({ sub: 's', email: 'a@example.com', name: 'A', groups: [] }, 'session');
  for (const action of SECRET_ACTIONS) {
    audit.failed({ ...origin, ...actor, action, namespace: 'n' }, new ServiceError('forbidden', 'x'));
  }
  audit.session('session.signIn', { ...origin, ...actor });
  audit.session('session.signInFailed', { ...origin, code: 'nonce_mismatch' });
  audit.session('session.signOut', { ...origin, ...actor });
  for (let n = 0; n <= BOUNDED_LINES; n++)
    audit.session('session.refused', { ...origin, code: 'unauthenticated' });
  audit.close();
  logger.info('request', { method: 'GET', requestId: 'r', status: 200 });
  logger.info('signed in', { actor: 'a@example.com' });
  logger.warn('reconcile will be retried', { component: 'history' });
  return lines();
}

describe('the Fluent Bit example', () => {
  it('is one grep filter with a rule', () => {
    expect([section, setting('Name'), setting('Regex')]).toEqual([
      '[FILTER]',
      ['grep'],
      ['component ^audit$'],
    ]);
  });

  it('takes the log of the pods that the manifests make', () => {
    const file = new URL('../../../kustomize/base/deployment.yaml', import.meta.url);
    const { metadata } = parse(readFileSync(file, 'utf8')) as { metadata: { name: string } };
    const tag = `kube.var.log.containers.${metadata.name}-6d5f9c7b4-x2x8q_ours_service-0123456789ab.log`;
    expect(setting('Match')).toHaveLength(1);
    expect(matchesGlob(tag, setting('Match')[0] ?? '')).toBe(true);
  });

  it('keeps every audit line, of every action and of floods, and nothing else', () => {
    const kept = written().filter(keeps);
    expect(new Set(kept.map((line) => line['action']))).toEqual(new Set(AUDIT_ACTIONS));
    expect(kept.some((line) => line['count'] === 1)).toBe(true);
    expect(kept.map((line) => line['sequence'])).toEqual(kept.map((_, index) => index + 1));
    expect(new Set(kept.map((line) => line['event']))).toEqual(new Set(['audit']));
  });
});
