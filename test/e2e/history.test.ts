import { describe, expect, it } from 'vitest';
import { freshNamespaces, WITHIN_MS } from './fixture.ts';
import { eventually } from '../harness/eventually.ts';

/** The default of SERVICE_HISTORY_LIMIT. */
const LIMIT = 10;

const here = freshNamespaces();

const labelled = async (): Promise<number> =>
  (await here.fixture.kube.listSecrets(here.namespace, `${here.fixture.annotationPrefix}/kind=history`))
    .length;

describe('history', () => {
  it('keeps the newest versions up to the limit', async () => {
    await here.secrets.createWithHistory('a', LIMIT + 2);
    const kept = Array.from({ length: LIMIT }, (_one, index) => LIMIT + 2 - index);
    expect(await here.secrets.versions('a')).toEqual(kept);
    expect(await labelled()).toBe(LIMIT);
  });

  it('stays with the object that it belongs to: one of the same name begins again', async () => {
    const { resourceVersion } = await here.secrets.createWithHistory('a', 2);
    const deleted = await here.admin.delete(
      here.secrets.deletePath('a', resourceVersion, '&keepHistory=true'),
    );
    expect(deleted.status).toBe(200);
    await here.secrets.create('a');
    expect(await here.secrets.versions('a')).toEqual([]);
    expect(await labelled()).toBe(2);
  });

  it('gets a label back that someone took away: the reconciler works with the rights that it has', async () => {
    await here.secrets.createWithHistory('a', 1);
    const [snapshot] = await here.fixture.kube.listSecrets(
      here.namespace,
      `${here.fixture.annotationPrefix}/kind=history`,
    );
    const name = snapshot?.metadata.name ?? '';
    const labels = {
      [`${here.fixture.annotationPrefix}/kind`]: null,
      [`${here.fixture.annotationPrefix}/history-uid`]: null,
    };
    await here.fixture.kube.patchSecret(here.namespace, name, { metadata: { labels } });
    await eventually(async () => {
      expect((await here.fixture.kube.getSecret(here.namespace, name))?.metadata.labels).toEqual(
        snapshot?.metadata.labels,
      );
    }, WITHIN_MS);
  });
});
