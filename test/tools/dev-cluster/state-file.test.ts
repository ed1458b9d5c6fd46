import { mkdtempSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startDevCluster } from '../../../hack/dev-cluster/dev-cluster.ts';
import { StateFileError } from '../../../hack/dev-cluster/state/state-file.ts';
import { textAt, type Json } from '../../../hack/dev-cluster/json/json.ts';
import { eventText, secretBody, SECRETS, useClusters } from './fixture.ts';

const start = useClusters();

describe('a state file', () => {
  let folder: string;
  let stateFile: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dev-cluster-'));
    stateFile = join(folder, 'deep', 'state');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('lets a second run show the same objects, uids, revisions and tokens', async () => {
    const first = await start({ stateFile });
    const body = { metadata: { name: 'a' }, data: { k: 'dg==', ['__proto__']: 'cA==' } };
    const created = await first.client.post(SECRETS, body);
    const robot = await first.robot('robot');
    const token = await first.client.post('/api/v1/namespaces/default/serviceaccounts/robot/token', {
      spec: {},
    });
    expect((await robot.get('/version')).status).toBe(200);
    const revision = textAt((await first.client.get(SECRETS)).body, 'metadata', 'resourceVersion');
    await first.cluster.close();

    const second = await start({ stateFile });
    expect((await second.client.get(`${SECRETS}/a`)).body).toEqual(created.body);
    expect(textAt((await second.client.get(SECRETS)).body, 'metadata', 'resourceVersion')).toBe(revision);
    const headers = { authorization: `Bearer ${textAt(token.body, 'status', 'token')}` };
    expect((await fetch(`${second.cluster.url}/version`, { headers })).status).toBe(200);
    const next = await second.client.post(SECRETS, secretBody('b'));
    expect(Number(textAt(next.body, 'metadata', 'resourceVersion'))).toBeGreaterThan(Number(revision));
  });

  it('is readable by its owner only, and nothing else is left beside it', async () => {
    const { cluster, client } = await start({ stateFile });
    await client.post(SECRETS, secretBody('a'));
    await cluster.close();
    expect(statSync(stateFile).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(folder, 'deep'))).toEqual(['state']);
  });

  it('is written while the cluster runs, too', async () => {
    const { client } = await start({ stateFile });
    await client.post(SECRETS, secretBody('found-in-the-file'));
    await expect
      .poll(() => readFileSync(stateFile, 'utf8'), { timeout: 5_000 })
      .toContain('found-in-the-file');
  });

  it('that is none is refused with a clear message that quotes nothing of it', async () => {
    const broken = join(folder, 'broken');
    writeFileSync(broken, 'confidential words\n');
    const refused = startDevCluster({ stateFile: broken });
    await expect(refused).rejects.toThrow(StateFileError);
    await expect(refused).rejects.toThrow(/is no state file of the development cluster/);
    await expect(refused).rejects.not.toThrow(/confidential/);
  });

  it('lets watches and pages of an earlier run go on', async () => {
    const first = await start({ stateFile });
    await first.client.post(SECRETS, secretBody('a'));
    await first.client.post(SECRETS, secretBody('b'));
    const page = (await first.client.get(`${SECRETS}?limit=1`)).body;
    const revision = textAt(page, 'metadata', 'resourceVersion');
    const token = textAt(page, 'metadata', 'continue');
    await first.client.patch(`${SECRETS}/b`, { data: { k: 'dzI=' } });
    await first.client.patch(`${SECRETS}/b`, { data: { k: 'dzM=' } });
    await first.client.delete(`${SECRETS}/a`);
    await first.client.post(SECRETS, secretBody('a'));
    const events = async ({ client }: typeof first): Promise<readonly Json[]> => {
      const watch = await client.watch(`${SECRETS}?watch=true&resourceVersion=${revision}`);
      const taken = await watch.take(4);
      await watch.close();
      return taken;
    };
    const before = await events(first);
    expect(before.map(eventText)).toEqual(['MODIFIED b', 'MODIFIED b', 'DELETED a', 'ADDED a']);
    const rest = `${SECRETS}?limit=1&continue=${encodeURIComponent(token)}`;
    const restBefore = (await first.client.get(rest)).body;
    await first.cluster.close();

    const second = await start({ stateFile });
    expect(await events(second)).toEqual(before);
    expect((await second.client.get(rest)).body).toEqual(restBefore);
  });

  it('makes watches from before a compaction start over', async () => {
    const first = await start({ stateFile });
    const { body } = await first.client.post(SECRETS, secretBody('a'));
    first.cluster.compact();
    await first.client.post(SECRETS, secretBody('b'));
    await first.cluster.close();
    const second = await start({ stateFile });
    const revision = textAt(body, 'metadata', 'resourceVersion');
    const watch = await second.client.watch(`${SECRETS}?watch=true&resourceVersion=${revision}`);
    expect((await watch.end()).events).toMatchObject([{ type: 'ERROR', object: { code: 410 } }]);
  });
});
