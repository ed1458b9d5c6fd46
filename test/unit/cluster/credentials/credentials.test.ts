import type { RequestOptions } from 'node:https';
import { describe, expect, it, vi } from 'vitest';
import { KubeConfig } from '@kubernetes/client-node';
import { credentialsOf } from '../../../../src/cluster/credentials/credentials.ts';
import { codeOf } from '../../../fakes/fake-journal.ts';

/** A kubeconfig whose credentials rotate: every question gets the next token. */
function rotating() {
  const config = new KubeConfig();
  config.loadFromClusterAndUser(
    { name: 'c', server: 'https://c.example', skipTLSVerify: false },
    { name: 'u' },
  );
  let tokens = 0;
  let broken = false;
  const applyOptions = vi
    .spyOn(config, 'applyToHTTPSOptions')
    .mockImplementation((options: RequestOptions) => {
      if (broken) return Promise.reject(new Error('the program said: hunter2'));
      options.headers = { Authorization: `Bearer ${++tokens}` };
      return Promise.resolve();
    });
  let time = 0;
  const credentials = credentialsOf(config, {}, { now: () => time, wallNow: Date.now });
  const token = async () => (await credentials.access()).headers['authorization'];
  return {
    credentials,
    token,
    applyOptions,
    pass: (ms: number) => (time += ms),
    breakDown: (now: boolean) => {
      broken = now;
    },
  };
}

describe('credentials that rotate', () => {
  it('are requested again after ten seconds', async () => {
    const { token, pass } = rotating();
    expect(await token()).toBe('Bearer 1');
    pass(9_999);
    expect(await token()).toBe('Bearer 1');
    pass(1);
    expect(await token()).toBe('Bearer 2');
  });

  it('are requested once by requests at the same time', async () => {
    const { token, applyOptions } = rotating();
    await Promise.all([token(), token(), token()]);
    expect(applyOptions).toHaveBeenCalledTimes(1);
  });

  it('are requested again at once when the cluster refused them', async () => {
    const { credentials, token } = rotating();
    credentials.forget(await credentials.access());
    expect(await token()).toBe('Bearer 2');
  });

  it('fail as unavailable, say nothing of why, and are requested again at once', async () => {
    const { credentials, token, breakDown } = rotating();
    breakDown(true);
    expect(await codeOf(credentials.access())).toBe('unavailable');
    await expect(credentials.access()).rejects.toMatchObject({
      reason: 'clusterCredentialsUnavailable',
      message: expect.not.stringContaining('hunter2') as string,
    });
    breakDown(false);
    expect(await token()).toBe('Bearer 1');
  });
});
