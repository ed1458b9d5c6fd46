import { once } from 'node:events';
import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { makeCertificate, type TestCertificate } from '../../fakes/certificate.ts';
import { startService, type ServiceProcess } from '../../harness/service-process.ts';
import { openFolderWithCluster, type FolderWithCluster } from './folder-with-cluster.ts';
import { runToEnd } from './run-to-end.ts';
import { eventually } from '../../harness/eventually.ts';

/** The files are read every ten seconds. */
const WITHIN_MS = 50_000;

let here: FolderWithCluster;
beforeAll(async () => {
  here = await openFolderWithCluster();
});
afterAll(async () => {
  await here.close();
});

/** A Secret as a kubelet mounts it: files are links into `..data`, which is itself a link that is replaced as a whole. */
function mountedSecret(name: string) {
  const place = join(here.folder, name);
  mkdirSync(place);
  let count = 0;
  const put = ({ cert, key }: Pick<TestCertificate, 'cert' | 'key'>): void => {
    const data = `..data-${String(count++)}`;
    mkdirSync(join(place, data));
    writeFileSync(join(place, data, 'tls.crt'), cert);
    writeFileSync(join(place, data, 'tls.key'), key);
    symlinkSync(data, join(place, '..data_tmp'));
    renameSync(join(place, '..data_tmp'), join(place, '..data'));
  };
  for (const file of ['tls.crt', 'tls.key']) symlinkSync(`..data/${file}`, join(place, file));
  const env = {
    SERVICE_TLS_CERT_FILE: join(place, 'tls.crt'),
    SERVICE_TLS_KEY_FILE: join(place, 'tls.key'),
  };
  return { env, put };
}

/** The start of the response to a request of this path over TLS; rejects when the certificate is another. */
async function statusOver({ url }: ServiceProcess, ca: TestCertificate, path: string): Promise<string> {
  const port = Number(new URL(url).port);
  const socket = connect({ port, host: '127.0.0.1', servername: 'localhost', ca: ca.cert });
  try {
    await once(socket, 'secureConnect');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    return chunk.toString('latin1').slice(0, 12);
  } finally {
    socket.destroy();
  }
}

it('the built service serves HTTPS, its operations port as before, and a renewed Secret without a restart', async () => {
  const [one, two] = [makeCertificate('one'), makeCertificate('two')];
  const secret = mountedSecret('renewed');
  secret.put(one);
  const service = await startService({ kubeconfigFile: here.kubeconfigFile, env: secret.env });
  onTestFinished(async () => {
    await service.stop();
  });
  expect(await statusOver(service, one, '/api/config')).toBe('HTTP/1.1 200');
  expect(await statusOver(service, one, '/api/namespaces')).toBe('HTTP/1.1 401');
  await expect(fetch(`${service.url}/api/config`)).rejects.toThrow();
  expect((await fetch(`${service.opsUrl}/readyz`)).status).toBe(200);
  const metrics = async () => (await fetch(`${service.opsUrl}/metrics`)).text();
  expect(await metrics()).toMatch(/^service_tls_not_after_seconds\{port="api"\} 1?\d{10}$/m);
  expect(await metrics()).toMatch(/^service_tls_reloads_total\{outcome="failed"\} 0$/m);

  secret.put(two);
  await eventually(async () => {
    expect(await statusOver(service, two, '/api/config')).toBe('HTTP/1.1 200');
  }, WITHIN_MS);
  expect(await metrics()).toMatch(/^service_tls_reloads_total\{outcome="loaded"\} 1$/m);
  expect(service.output()).not.toMatch(/BEGIN|PRIVATE/);
});

it('without TLS there is no metric about a certificate', async () => {
  const service = await startService({ kubeconfigFile: here.kubeconfigFile });
  onTestFinished(async () => {
    await service.stop();
  });
  const text = await (await fetch(`${service.opsUrl}/metrics`)).text();
  expect(text).not.toMatch(/^service_tls/m);
});

it('a pair that does not fit ends the start-up, and nothing of the files is printed', async () => {
  const secret = mountedSecret('mismatched');
  secret.put({ cert: makeCertificate('one').cert, key: makeCertificate('two').key });
  const before = here.dev.requests.last;
  const { code, stdout, lines } = await runToEnd({
    KUBECONFIG: here.kubeconfigFile,
    PORT: '0',
    ...secret.env,
  });
  expect([code, stdout]).toEqual([1, '']);
  const problem =
    'SERVICE_TLS_CERT_FILE and SERVICE_TLS_KEY_FILE: the key does not belong to the certificate';
  expect(lines).toMatchObject([{ event: 'cannot start', problem }]);
  expect(here.dev.requests.last).toBe(before);
});
