import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  BOUNDED_ACTIONS,
  BOUNDED_LINES,
  createAudit,
  SECRET_ACTIONS,
  type Audit,
} from '../../../src/api/runner/audit.ts';
import { ERROR_CODES, ServiceError } from '../../../src/errors/service-error.ts';
import { recordingLogger } from '../observability/log-lines.ts';
import {
  fixture,
  PROCESS,
  record,
  bare,
  SHOWS_NO_VALUE,
  ORIGIN,
  ACTOR,
  writeEverything,
  BOUNDED,
} from './audit-fixture.ts';

describe('an audit line', () => {
  it('says who did what to which Secret, and how it ended', () => {
    const { audit, lines } = fixture();
    audit.succeeded(record('secret.delete'), 'pending');
    expect(lines()).toEqual([
      {
        level: 'info',
        time: expect.any(String) as string,
        event: 'audit',
        component: 'audit',
        process: PROCESS,
        sequence: 1,
        outcome: 'pending',
        ...record('secret.delete'),
      },
    ]);
  });

  it.each(SECRET_ACTIONS)('of %s is written for its success unless it shows no value', (action) => {
    const { audit, lines } = fixture();
    audit.succeeded(record(action), 'succeeded');
    expect(lines().map((line) => line['outcome'])).toEqual(
      SHOWS_NO_VALUE.includes(action) ? [] : ['succeeded'],
    );
  });

  it.each(SECRET_ACTIONS)('of %s is written for its denial', (action) => {
    const { audit, lines } = fixture();
    audit.failed(bare(action), new ServiceError('forbidden', 'No', { reason: 'deniedByAccessRules' }));
    expect(lines()).toMatchObject([
      { action, outcome: 'denied', code: 'forbidden', reason: 'deniedByAccessRules' },
    ]);
  });

  it.each(SECRET_ACTIONS)('of %s is written for its failure unless it shows no value', (action) => {
    const { audit, lines } = fixture();
    audit.failed(bare(action), new ServiceError('notFound', 'No'));
    expect(lines().map((line) => line['outcome'])).toEqual(SHOWS_NO_VALUE.includes(action) ? [] : ['failed']);
  });

  it('is denied, uncertain or failed by its code', () => {
    for (const code of ERROR_CODES) {
      const { audit, lines } = fixture();
      audit.failed(bare('secret.update'), new ServiceError(code, 'x'));
      const expected = code === 'forbidden' ? 'denied' : code === 'uncertain' ? 'uncertain' : 'failed';
      expect(lines()).toMatchObject([{ outcome: expected, code }]);
    }
  });

  it('takes nothing from an unexpected error', () => {
    const { audit, lines, text } = fixture();
    const error = Object.assign(new Error('planted-4711'), { code: 'planted-4711', reason: 'planted-4711' });
    audit.failed(bare('secret.update'), error);
    expect(lines()).toMatchObject([{ outcome: 'failed', code: 'internal' }]);
    expect(text()).not.toContain('planted-4711');
  });

  it('does not take the message of an error along', () => {
    const { audit, text } = fixture();
    audit.failed(bare('secret.update'), new ServiceError('conflict', 'a public message'));
    expect(text()).not.toContain('a public message');
  });
});

describe('a line about a session', () => {
  it('says who signed in, by email and by the hash of the subject, and no other claim', () => {
    const { audit, lines, text } = fixture();
    audit.session('session.signIn', { ...ORIGIN, ...ACTOR });
    expect(lines()).toMatchObject([
      {
        ...ORIGIN,
        action: 'session.signIn',
        outcome: 'succeeded',
        actor: 'dev@example.com',
        subject: createHash('sha256').update('subject-1').digest('hex'),
        session: 'session-hash',
      },
    ]);
    for (const claim of ['subject-1', 'planted-group', 'planted-claim', '"Dev"'])
      expect(text()).not.toContain(claim);
  });

  it('says why no one did, and names no one', () => {
    const { audit, lines } = fixture();
    audit.session('session.signInFailed', { ...ORIGIN, code: 'nonce_mismatch' });
    expect(lines()).toMatchObject([
      { ...ORIGIN, action: 'session.signInFailed', outcome: 'failed', code: 'nonce_mismatch' },
    ]);
    expect(lines()[0]).not.toHaveProperty('actor');
  });

  it('says who signed out, and that a session was refused', () => {
    const { audit, lines } = fixture();
    audit.session('session.signOut', { ...ORIGIN, ...ACTOR });
    audit.session('session.refused', { ...ORIGIN, session: 'session-hash', code: 'unauthenticated' });
    expect(lines()).toMatchObject([
      { ...ORIGIN, action: 'session.signOut', outcome: 'succeeded', actor: 'dev@example.com' },
      {
        ...ORIGIN,
        action: 'session.refused',
        outcome: 'denied',
        code: 'unauthenticated',
        session: 'session-hash',
      },
    ]);
    expect(lines()[1]).not.toHaveProperty('actor');
  });
});

describe('the numbers of lines', () => {
  it('begin at 1 and have no gap over all kinds of lines, one left out included', () => {
    const { audit, lines } = fixture();
    audit.succeeded(record('secret.list'), 'succeeded'); // no line
    writeEverything(audit);
    expect(lines().length).toBeGreaterThan(BOUNDED_LINES);
    expect(lines().map((line) => line['sequence'])).toEqual(lines().map((_, index) => index + 1));
    expect(new Set(lines().map((line) => line['process']))).toEqual(new Set([PROCESS]));
  });

  it('begin again with another process, which has another id', () => {
    const [one, other] = [recordingLogger(), recordingLogger()];
    for (const { logger } of [one, other])
      createAudit(logger).session('session.refused', { ...ORIGIN, code: 'unauthenticated' });
    const [first, second] = [one.lines()[0], other.lines()[0]];
    expect([first?.['sequence'], second?.['sequence']]).toEqual([1, 1]);
    expect(first?.['process']).toMatch(/^[0-9a-f-]{36}$/);
    expect(first?.['process']).not.toBe(second?.['process']);
  });
});

describe.each(BOUNDED_ACTIONS)('a flood of %s', (action) => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const flood = (audit: Audit, times: number) => {
    for (let n = 0; n < times; n++) BOUNDED[action](audit);
  };

  it('writes so many lines and counts the rest in one, at the end of the minute', () => {
    const { audit, lines } = fixture();
    flood(audit, 100_000);
    expect(lines()).toHaveLength(BOUNDED_LINES);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(lines()).toHaveLength(BOUNDED_LINES + 1);
    expect(lines().at(-1)).toMatchObject({ action, count: 100_000 - BOUNDED_LINES });
    expect(lines().at(-1)).not.toHaveProperty('requestId');
  });

  it('leaves the next minute its lines, after the count', () => {
    const { audit, lines } = fixture();
    flood(audit, BOUNDED_LINES + 5);
    vi.advanceTimersByTime(60_000);
    flood(audit, 1);
    expect(lines().slice(BOUNDED_LINES)).toMatchObject([{ count: 5 }, { requestId: 'request-1' }]);
    expect(lines().at(-1)).not.toHaveProperty('count');
  });

  it('is counted also when the process stops, and once', () => {
    const { audit, lines } = fixture();
    flood(audit, BOUNDED_LINES + 2);
    audit.close();
    vi.advanceTimersByTime(60_000);
    expect(lines().slice(BOUNDED_LINES)).toMatchObject([{ action, count: 2 }]);
  });

  it('hides nothing of a known machine, whose flood is counted for itself', () => {
    const { audit, lines } = fixture();
    flood(audit, 10_000);
    const refused = { ...ORIGIN, issuer: 'ci', code: 'forbidden' };
    for (let n = 0; n < BOUNDED_LINES + 3; n++) audit.session('session.refused', refused);
    expect(lines().slice(BOUNDED_LINES)).toHaveLength(BOUNDED_LINES);
    expect(lines().at(-1)).toMatchObject({ issuer: 'ci', code: 'forbidden' });
    audit.close();
    expect(lines().slice(-2)).toMatchObject([
      { action, count: 10_000 - BOUNDED_LINES },
      { action: 'session.refused', count: 3 },
    ]);
  });

  it('hides no other line', () => {
    const { audit, lines } = fixture();
    flood(audit, 10_000);
    for (const other of BOUNDED_ACTIONS) if (other !== action) BOUNDED[other](audit);
    audit.session('session.signIn', { ...ORIGIN, ...ACTOR });
    audit.succeeded(record('secret.read'), 'succeeded');
    expect(lines()).toHaveLength(BOUNDED_LINES + BOUNDED_ACTIONS.length + 1);
  });
});
