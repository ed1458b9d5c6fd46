import { describe, expect, it, vi } from 'vitest';
import { errorOf, jsonOf, secretOf } from '../../harness/answers.ts';
import { nativeSecret, secretsPath, stateOf } from '../../harness/secret-paths.ts';
import {
  stack,
  namespace,
  anonymous,
  developer,
  outside,
  admin,
  text,
  OVER_16_MIB,
  json,
  OVER_1_MIB,
  DENYING_POLICY,
  WITHIN,
} from './order-fixture.ts';

describe('POST …/secrets', () => {
  it('checks session, path, scope, body, policy, fields, data size, type rules, and last the name', async () => {
    await stack.kube.createSecret(namespace, nativeSecret('taken'));
    await stack.kube.setPolicy(namespace, { allowedGroups: 'broken' });
    const before = await stateOf(stack.kube, namespace);
    const allWrong = {
      name: 'taken',
      type: 'kubernetes.io/tls',
      data: { a: OVER_1_MIB, 'b b': '' },
      description: 'x'.repeat(4_097),
    };
    const path = secretsPath(namespace);
    errorOf(await anonymous.send('POST', secretsPath('Bad_Name'), text('{')), 401);
    expect(errorOf(await developer.send('POST', secretsPath('Bad_Name'), text('{')), 400)).toMatch(
      /^namespace must/,
    );
    expect(errorOf(await developer.send('POST', secretsPath(outside), text('{')), 403)).toMatch(/scope/);
    expect(errorOf(await admin.send('POST', secretsPath(outside), text('{')), 403)).toMatch(/scope/);
    errorOf(await developer.send('POST', path, text(OVER_16_MIB)), 415);
    errorOf(await developer.send('POST', path, json(OVER_16_MIB)), 413);
    errorOf(await developer.send('POST', path, json('['.repeat(65))), 413);
    errorOf(await developer.send('POST', path, json('{')), 400);
    errorOf(await developer.post(path, allWrong), 503);
    await stack.kube.setPolicy(namespace, DENYING_POLICY);
    errorOf(await developer.post(path, allWrong), 403);
    await stack.kube.removePolicy(namespace);
    errorOf(await developer.post(path, allWrong), 400);
    expect(
      errorOf(await developer.post(path, { ...allWrong, data: { a: OVER_1_MIB }, description: '' }), 413),
    ).toMatch(/values/);
    expect(errorOf(await developer.post(path, { ...allWrong, data: {} }), 400)).toMatch(/^description/);
    errorOf(await developer.post(path, { ...allWrong, data: {}, description: '' }), 422);
    errorOf(await developer.post(path, { name: 'taken' }), 409);
    expect(await stateOf(stack.kube, namespace)).toEqual(before);
    secretOf(await developer.post(path, { name: 'free' }), 201);
  });
});

describe('the scope of namespaces', () => {
  it.each([
    ['GET', secretsPath('outside')],
    ['POST', secretsPath('outside')],
    ['GET', secretsPath('outside', 'a')],
    ['PUT', secretsPath('outside', 'a')],
    ['DELETE', secretsPath('outside', 'a')],
    ['GET', secretsPath('outside', 'a', 'versions')],
    ['GET', secretsPath('outside', 'a', 'versions/1')],
    ['POST', secretsPath('outside', 'a', 'restore')],
    ['GET', secretsPath('outside', 'a', 'consumers')],
    ['POST', secretsPath('outside', 'a', 'restart')],
  ])('%s %s answers 403 outside it, for admins too', async (method, path) => {
    for (const client of [admin, developer]) {
      const wanted = path.replace('outside', outside);
      expect(errorOf(await client.send(method, wanted), 403)).toBe(
        'This namespace is outside the scope of the service',
      );
    }
  });

  it('GET /api/namespaces names what is in scope, and nothing else', async () => {
    await stack.kube.removePolicy(namespace);
    expect(jsonOf(await admin.get('/api/namespaces'), 200)).toEqual({
      namespaces: [{ name: namespace, canCreate: true }],
    });
    // The hint comes from what is watched of the policies, which follows the cluster closely.
    const becomes = (canCreate: boolean) =>
      vi.waitFor(async () => {
        expect(jsonOf(await developer.get('/api/namespaces'), 200)).toEqual({
          namespaces: [{ name: namespace, canCreate }],
        });
      }, WITHIN);
    await becomes(true);
    for (const policy of [DENYING_POLICY, { allowedGroups: 'broken' }]) {
      await stack.kube.setPolicy(namespace, policy);
      await becomes(false);
      await stack.kube.removePolicy(namespace);
      await becomes(true);
    }
  });
});
