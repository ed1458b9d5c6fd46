import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import {
  childrenOf,
  freePorts,
  nothingLeft,
  READY_MS,
  ready,
  startMakeRun,
  temporaryFolder,
  type Ports,
} from './make-run.ts';

describe('make run that cannot go on', () => {
  it('says which port is in use, how to choose another, and starts nothing', async () => {
    const folder = temporaryFolder();
    const ports = await freePorts();
    const squatter = createServer().listen(Number(ports.DEV_IDP_PORT), '127.0.0.1');
    await once(squatter, 'listening');
    const running = startMakeRun(folder.path, ports);
    expect(await running.ended).toBe(1);
    expect(running.stderr()).toBe(
      `Port ${ports.DEV_IDP_PORT} is in use. Choose another with DEV_IDP_PORT=…\n`,
    );
    expect(existsSync(`${folder.path}/cluster.log`)).toBe(false);
    expect(running.isGroupAlive()).toBe(false);
    squatter.close();
    folder.remove();
  });

  it.each([
    ['a port that is none', () => ({ PORT: 'http' }), 'PORT must be a port number, 1 to 65535\n'],
    [
      'two ports that are one',
      ({ PORT }: Ports) => ({ OPS_PORT: PORT }),
      'PORT, OPS_PORT, DEV_IDP_PORT and DEV_CLUSTER_PORT must differ\n',
    ],
  ])('says what is wrong with %s', async (_what, change, message) => {
    const folder = temporaryFolder();
    const ports = await freePorts();
    const running = startMakeRun(folder.path, { ...ports, ...change(ports) });
    expect(await running.ended).toBe(1);
    expect(running.stderr()).toBe(message);
    folder.remove();
  });

  it.each([
    ['the cluster', 'cluster.log'],
    ['the provider', 'idp.log'],
    ['the service', 'service.log'],
  ])('ended by a signal while %s starts, leaves no process behind', async (_what, log) => {
    const folder = temporaryFolder();
    const running = startMakeRun(folder.path, await freePorts());
    await vi.waitFor(
      () => {
        expect(existsSync(`${folder.path}/${log}`)).toBe(true);
      },
      { timeout: READY_MS, interval: 2 },
    );
    running.signal('SIGINT', 'process');
    // An impatient second signal must not cut the clearing up short.
    running.signal('SIGINT', 'process');
    await nothingLeft(running);
    expect(running.stdout()).toBe('');
    folder.remove();
  });

  it('when one of its processes dies, ends the others and says which it was', async () => {
    const folder = temporaryFolder();
    const running = startMakeRun(folder.path, await freePorts());
    await ready(running);
    const provider = (await childrenOf(running.pid)).find(({ command }) => command.includes('dev-idp'));
    process.kill(provider?.pid ?? 0, 'SIGKILL');
    expect(await running.ended).toBe(1);
    expect(running.stderr()).toBe(
      `The development identity provider ended (SIGKILL); see the logs in ${folder.path}\n`,
    );
    await nothingLeft(running);
    folder.remove();
  });
});
