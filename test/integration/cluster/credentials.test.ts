import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { loadCredentials } from '../../../src/cluster/credentials/credentials.ts';
import { unhurriedCall } from '../../fakes/fake-call.ts';
import { gatewayTo, READ, WATCH } from './gateway-fixture.ts';
import { answer, startScriptedServer, type Play } from './scripted-server.ts';

const deadline = unhurriedCall();
const refused = answer(401, {
  kind: 'Status',
  apiVersion: 'v1',
  status: 'Failure',
  reason: 'Unauthorized',
  code: 401,
});
const good = answer(200, {});
const REFUSAL = { code: 'unavailable', reason: 'clusterCredentialsRefused' };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'credentials-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** A gateway that signs in as a kubeconfig's user, to a server that answers by the plays. */
async function signedInAs(user: object, plays: readonly Play[]) {
  const server = await startScriptedServer(plays);
  onTestFinished(() => server.close());
  const kubeconfig = path.join(folder, 'config');
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      clusters: [{ name: 'c', cluster: { server: server.url } }],
      users: [{ name: 'u', user }],
      contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'c',
    }),
  );
  const credentials = loadCredentials({ kubeconfig, environment: { PATH: process.env['PATH'] } });
  const { gateway } = gatewayTo(server.url, { credentials });
  const tokens = () => server.seen.map(({ headers }) => headers.authorization);
  return { gateway, tokens };
}

/** Prints `token-1`, `token-2`, and so on. */
function countingPlugin(): object {
  const script = path.join(folder, 'plugin');
  const credential =
    '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"token-%s"}}';
  writeFileSync(
    script,
    `#!/bin/sh\necho >> "${folder}/runs"\nprintf '${credential}' "$(($(wc -l < "${folder}/runs")))"\n`,
  );
  chmodSync(script, 0o755);
  return { exec: { apiVersion: 'client.authentication.k8s.io/v1', command: script } };
}

describe('credentials that the cluster refuses', () => {
  it('are made again by their plugin, for requests and for watches', async () => {
    const { gateway, tokens } = await signedInAs(countingPlugin(), [refused, good, refused, good]);
    await expect(gateway.request(READ, deadline)).rejects.toMatchObject(REFUSAL);
    await gateway.request(READ, deadline);
    const open = () => gateway.stream(WATCH, AbortSignal.timeout(20_000), String);
    await expect(open()).rejects.toMatchObject(REFUSAL);
    await open();
    expect(tokens()).toEqual([1, 2, 2, 3].map((count) => `Bearer token-${count}`));
  });

  it('are read again from their file', async () => {
    const token = path.join(folder, 'token');
    writeFileSync(token, 'first');
    const { gateway, tokens } = await signedInAs({ tokenFile: 'token' }, [refused, good]);
    await expect(gateway.request(READ, deadline)).rejects.toMatchObject(REFUSAL);
    writeFileSync(token, 'second');
    await gateway.request(READ, deadline);
    expect(tokens()).toEqual(['Bearer first', 'Bearer second']);
  });
});
