import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { PUBLIC_CLIENT_ID } from '../dev-idp/configuration.ts';
import { startProcess, waitUntilReady, type Running } from '../processes.ts';
import { freePort } from '../../test/harness/free-port.ts';

/** The service from source, and the provider that people sign in at. */
export interface RunningService {
  readonly url: string;
  readonly opsUrl: string;
  stop(): Promise<void>;
}

const READY_TIMEOUT_MS = 30_000;

/** Where a service that is started with this folder logs. */
export function serviceLog(folder: string): string {
  return join(folder, 'service.log');
}

export interface ServiceOptions {
  readonly kubeconfigFile: string;
  /** For the logs; private to this run. */
  readonly folder: string;
  readonly annotationPrefix: string;
  /** What the pods of an installation would have; the provider, the addresses and the administrators are the run's. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts the built service with one kubeconfig and the development provider. */
export async function startService({
  kubeconfigFile,
  folder,
  annotationPrefix,
  environment = { SERVICE_RESTART_ENABLED: 'true' },
}: ServiceOptions): Promise<RunningService> {
  const [port, opsPort, idpPort] = [await freePort(), await freePort(), await freePort()];
  const url = `http://localhost:${port}`;
  const opsUrl = `http://127.0.0.1:${opsPort}`;
  const issuer = `http://localhost:${idpPort}`;
  const processes: Running[] = [];
  const launch = (process: Parameters<typeof startProcess>[0]): Running => {
    const running = startProcess(process);
    processes.push(running);
    return running;
  };
  const stop = async (): Promise<void> => {
    await Promise.all(processes.map((process) => process.stop()));
  };
  try {
    const idp = launch({
      name: 'The identity provider',
      script: 'hack/dev-idp/main.ts',
      args: ['--port', String(idpPort), '--client-redirect', `${url}/api/auth/callback`],
      logFile: join(folder, 'idp.log'),
    });
    await waitUntilReady(`${issuer}/.well-known/openid-configuration`, idp, READY_TIMEOUT_MS);
    const service = launch({
      name: 'The service',
      script: 'dist/main.js',
      env: {
        SESSION_SECRET: randomBytes(48).toString('base64url'),
        ...environment,
        ...{ HOST: '127.0.0.1', PORT: String(port), OPS_PORT: String(opsPort), NODE_ENV: '' },
        ...{ KUBECONFIG: kubeconfigFile, NEXT_PUBLIC_APP_URL: url },
        ...{ OIDC_ISSUER: issuer, OIDC_CLIENT_ID: PUBLIC_CLIENT_ID, OIDC_ALLOW_HTTP: 'true' },
        ...{ OIDC_CLIENT_SECRET: '', SERVICE_ADMIN_GROUPS: 'platform-admins' },
        // Its files are in a volume of the pod.
        ...{ SERVICE_TLS_CERT_FILE: '', SERVICE_TLS_KEY_FILE: '' },
        SERVICE_ANNOTATION_PREFIX: annotationPrefix,
        ...{ SERVICE_RATE_LIMIT: 'off', SERVICE_LOGIN_RATE_LIMIT: 'off', LOG_LEVEL: 'debug' },
      },
      logFile: serviceLog(folder),
    });
    await waitUntilReady(`${opsUrl}/readyz`, service, READY_TIMEOUT_MS);
    return { url, opsUrl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
