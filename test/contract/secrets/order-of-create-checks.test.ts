import { describe, expect, it } from 'vitest';
import { errorOf, jsonOf, secretOf } from '../../harness/answers.ts';
import { nativeSecret, secretsPath, stateOf } from '../../harness/secret-paths.ts';
import { text, OVER_16_MIB, json, OVER_1_MIB, DENYING_POLICY, openOrderFixture } from './order-fixture.ts';
import { eventually } from '../../harness/eventually.ts';

const { here, scoped } = openOrderFixture();

describe('POST …/secrets', () => {
  it('checks session, path, scope, body, policy, fields, data size, type rules, and last the name', async () => {
    await here.stack.kube.createSecret(here.namespace, nativeSecret('taken'));
    await here.stack.kube.setPolicy(here.namespace, { allowedGroups: 'broken' });
    const before = await stateOf(here.stack.kube, here.namespace);
    const allWrong = {
      name: 'taken',
      type: 'kubernetes.io/tls',
      data: { a: OVER_1_MIB, 'b b': '' },
      description: 'x'.repeat(4_097),
    };
    const path = secretsPath(here.namespace);
    errorOf(await scoped.anonymous.send('POST', secretsPath('Bad_Name'), text('{')), 401);
    expect(errorOf(await scoped.developer.send('POST', secretsPath('Bad_Name'), text('{')), 400)).toMatch(
      /^namespace must/,
    );
    expect(errorOf(await scoped.developer.send('POST', secretsPath(scoped.outside), text('{')), 403)).toMatch(
      /scope/,
    );
    expect(errorOf(await scoped.admin.send('POST', secretsPath(scoped.outside), text('{')), 403)).toMatch(
      /scope/,
    );
    errorOf(await scoped.developer.send('POST', path, text(OVER_16_MIB)), 415);
    errorOf(await scoped.developer.send('POST', path, json(OVER_16_MIB)), 413);
    errorOf(await scoped.developer.send('POST', path, json('['.repeat(65))), 413);
    errorOf(await scoped.developer.send('POST', path, json('{')), 400);
    errorOf(await scoped.developer.post(path, allWrong), 503);
    await here.stack.kube.setPolicy(here.namespace, DENYING_POLICY);
    errorOf(await scoped.developer.post(path, allWrong), 403);
    await here.stack.kube.removePolicy(here.namespace);
    errorOf(await scoped.developer.post(path, allWrong), 400);
    expect(
      errorOf(
        await scoped.developer.post(path, { ...allWrong, data: { a: OVER_1_MIB }, description: '' }),
        413,
      ),
    ).toMatch(/values/);
    expect(errorOf(await scoped.developer.post(path, { ...allWrong, data: {} }), 400)).toMatch(
      /^description/,
    );
    errorOf(await scoped.developer.post(path, { ...allWrong, data: {}, description: '' }), 422);
    errorOf(await scoped.developer.post(path, { name: 'taken' }), 409);
    expect(await stateOf(here.stack.kube, here.namespace)).toEqual(before);
    secretOf(await scoped.developer.post(path, { name: 'free' }), 201);
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
    for (const client of [scoped.admin, scoped.developer]) {
      const wanted = path.replace('outside', scoped.outside);
      expect(errorOf(await client.send(method, wanted), 403)).toBe(
        'This namespace is outside the scope of the service',
      );
    }
  });

  it('GET /api/namespaces names what is in scope, and nothing else', async () => {
    await here.stack.kube.removePolicy(here.namespace);
    expect(jsonOf(await scoped.admin.get('/api/namespaces'), 200)).toEqual({
      namespaces: [{ name: here.namespace, canCreate: true }],
    });
    // The hint comes from what is watched of the policies, which follows the cluster closely.
    const becomes = (canCreate: boolean) =>
      eventually(async () => {
        expect(jsonOf(await scoped.developer.get('/api/namespaces'), 200)).toEqual({
          namespaces: [{ name: here.namespace, canCreate }],
        });
      });
    await becomes(true);
    for (const policy of [DENYING_POLICY, { allowedGroups: 'broken' }]) {
      await here.stack.kube.setPolicy(here.namespace, policy);
      await becomes(false);
      await here.stack.kube.removePolicy(here.namespace);
      await becomes(true);
    }
  });
});
