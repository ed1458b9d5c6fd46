import { describe, expect, it, vi } from 'vitest';
import { ServiceError } from '../../../src/errors/service-error.ts';
import { createReadiness, remembered, type ReadinessCheck } from '../../../src/observability/readiness.ts';

const metrics = { set: () => undefined };
const check = (name: string, isReady: ReadinessCheck['isReady']): ReadinessCheck => ({ name, isReady });

describe('readiness', () => {
  it('waits for the checks that do not pass, in their order', async () => {
    const readiness = createReadiness(metrics, [
      check('yes', () => true),
      check('no', () => false),
      check('later yes', () => Promise.resolve(true)),
      check('later no', () => Promise.resolve(false)),
      check('throws', () => {
        throw new Error('planted-4711');
      }),
      check('rejects', () => Promise.reject(new Error('planted-4711'))),
    ]);
    expect(await readiness.waitingFor()).toEqual(['no', 'later no', 'throws', 'rejects']);
  });

  it('says what a check waits for, behind its name', async () => {
    const detail = 'missing OIDC_ISSUER';
    const readiness = createReadiness(metrics, [
      { name: 'settings', isReady: () => false, detail: () => detail },
      { name: 'cluster', isReady: () => true, detail: () => detail },
    ]);
    expect(await readiness.waitingFor()).toEqual(['settings (missing OIDC_ISSUER)']);
  });

  it('says the known code of what a check failed with, and nothing of a foreign error', async () => {
    const refused = Object.assign(new Error('planted-4711'), { code: 'ECONNREFUSED' });
    const failing = (name: string, error: Error) => check(name, () => Promise.reject(error));
    const readiness = createReadiness(metrics, [
      failing('by system code', new ServiceError('unavailable', 'x', { reason: 'y', cause: refused })),
      failing('by reason', new ServiceError('unavailable', 'x', { reason: 'clusterTimeout' })),
      failing('foreign', new Error('planted-4711')),
    ]);
    expect(await readiness.waitingFor()).toEqual([
      'by system code (ECONNREFUSED)',
      'by reason (clusterTimeout)',
      'foreign',
    ]);
  });

  it('waits for nothing when all pass, and when there are none', async () => {
    expect(await createReadiness(metrics, [check('yes', () => true)]).waitingFor()).toEqual([]);
    expect(await createReadiness(metrics, []).waitingFor()).toEqual([]);
  });

  it('reports how each check went', async () => {
    const set = vi.fn();
    const readiness = createReadiness({ set }, [
      check('yes', () => true),
      check('no', () => false),
      check('rejects', () => Promise.reject(new Error())),
    ]);
    await readiness.waitingFor();
    expect(set.mock.calls).toEqual([
      ['service_ready', true, { check: 'yes' }],
      ['service_ready', false, { check: 'no' }],
      ['service_ready', false, { check: 'rejects' }],
    ]);
  });

  it('runs the check again each time', async () => {
    let ready = false;
    const readiness = createReadiness(metrics, [check('a', () => ready)]);
    expect(await readiness.waitingFor()).toEqual(['a']);
    ready = true;
    expect(await readiness.waitingFor()).toEqual([]);
  });

  it('runs all checks at once', async () => {
    const calls: string[] = [];
    let letGo: (ready: boolean) => void = () => undefined;
    const first = new Promise<boolean>((resolve) => {
      letGo = resolve;
    });
    const waiting = createReadiness(metrics, [
      check('slow', () => {
        calls.push('slow');
        return first;
      }),
      check('quick', () => {
        calls.push('quick');
        letGo(true);
        return true;
      }),
    ]).waitingFor();
    expect(await waiting).toEqual([]);
    expect(calls).toEqual(['slow', 'quick']);
  });
});

describe('a remembered check', () => {
  function remember(answers: readonly (boolean | Error)[]) {
    let now = 0;
    let calls = 0;
    const isReady = remembered(
      () => {
        const answer = answers[calls++] ?? false;
        return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
      },
      1_000,
      () => now,
    );
    return {
      isReady,
      calls: () => calls,
      wait: (milliseconds: number) => {
        now += milliseconds;
      },
    };
  }

  it('runs the check once within the period, and again after it', async () => {
    const { isReady, calls, wait } = remember([true, false]);
    expect(await isReady()).toBe(true);
    wait(999);
    expect(await isReady()).toBe(true);
    expect(calls()).toBe(1);
    wait(1);
    expect(await isReady()).toBe(false);
    expect(calls()).toBe(2);
  });

  it('is shared by concurrent callers', async () => {
    const { isReady, calls } = remember([true]);
    await Promise.all([isReady(), isReady(), isReady()]);
    expect(calls()).toBe(1);
  });

  it('does not pass while the remembered answer is a failure', async () => {
    const { isReady, wait } = remember([new Error('down'), true]);
    const readiness = createReadiness(metrics, [check('cluster', isReady)]);
    expect(await readiness.waitingFor()).toEqual(['cluster']);
    expect(await readiness.waitingFor()).toEqual(['cluster']);
    wait(1_000);
    expect(await readiness.waitingFor()).toEqual([]);
  });
});
