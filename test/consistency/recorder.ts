import { startDeadline } from '../../src/timing/deadline.ts';
import { loadCredentials } from '../../src/cluster/credentials/credentials.ts';
import { createGateway, type Gateway } from '../../src/cluster/transport/gateway.ts';
import { CONFIG_MAPS, SECRETS, type Resource } from '../../src/cluster/objects/resources.ts';
import { isServiceError } from '../../src/errors/service-error.ts';
import type { ClusterObject } from '../harness/kube-client.ts';
import type { Change, PolicyChange } from './recording.ts';
import { secretStateOf } from './secret-state.ts';

/** Follows a namespace as an administrator, so that nothing that the cluster has gone through is missing. */
export interface Recorder {
  readonly changes: readonly Change[];
  readonly policies: readonly PolicyChange[];
  /** Resolves once everything up to this revision has been recorded. */
  reached(revision: number): Promise<void>;
  /** Ends the recording. @throws when a part of it is missing */
  stop(): Promise<void>;
}

export interface RecorderOptions {
  readonly kubeconfigFile: string;
  /** Empty when the recording begins. */
  readonly namespace: string;
  readonly policyName: string;
}

interface WatchFrame {
  readonly type: string;
  readonly object: ClusterObject;
}

const WATCH_SECONDS = 3_600;
const REACH_TIMEOUT_MS = 60_000;
const RETRY_MS = 200;

export async function startRecorder({
  kubeconfigFile,
  namespace,
  policyName,
}: RecorderOptions): Promise<Recorder> {
  const gateway = createGateway({
    credentials: loadCredentials({ kubeconfig: kubeconfigFile }),
    onCall: () => undefined,
  });
  const changes: Change[] = [];
  const policies: PolicyChange[] = [];
  const secrets = await follow(gateway, SECRETS, namespace, ({ type, object }) => {
    const kind = type === 'DELETED' ? 'gone' : 'put';
    changes.push({
      kind,
      revision: revisionOf(object),
      seenAt: performance.now(),
      object: secretStateOf(object),
    });
  });
  const configMaps = await follow(gateway, CONFIG_MAPS, namespace, ({ type, object }) => {
    if (object.metadata.name !== policyName) return;
    const groups = object.data?.['allowedGroups'];
    const allowedGroups = type === 'DELETED' ? undefined : (JSON.parse(groups ?? '[]') as string[]);
    policies.push({ revision: revisionOf(object), seenAt: performance.now(), allowedGroups });
  });
  return {
    changes,
    policies,
    async reached(revision) {
      const end = performance.now() + REACH_TIMEOUT_MS;
      while ((changes.at(-1)?.revision ?? 0) < revision) {
        if (performance.now() > end) throw new Error(`revision ${revision} was not recorded in time`);
        await pause(RETRY_MS);
      }
    },
    async stop() {
      await secrets.stop();
      await configMaps.stop();
      await gateway.close();
    },
  };
}

interface Following {
  stop(): Promise<void>;
}

/** Lists, to know where to begin, and watches from there for as long as it takes. */
async function follow(
  gateway: Gateway,
  resource: Resource,
  namespace: string,
  take: (frame: WatchFrame) => void,
): Promise<Following> {
  const stop = new AbortController();
  let revision = await currentRevision(gateway, resource, namespace);
  let gap: Error | undefined;
  const read = (line: string): void => {
    const frame = JSON.parse(line) as WatchFrame;
    if (frame.type === 'ERROR')
      throw new Error('the recording has a gap: the cluster no longer keeps its revision');
    revision = frame.object.metadata.resourceVersion ?? revision;
    if (frame.type !== 'BOOKMARK') take(frame);
  };
  const watch = async (): Promise<void> => {
    const query = {
      watch: 'true',
      allowWatchBookmarks: 'true',
      resourceVersion: revision,
      timeoutSeconds: String(WATCH_SECONDS),
    };
    const stream = await gateway.stream(
      { verb: 'watch', resource, namespace, query },
      stop.signal,
      (line) => line,
    );
    for await (const line of stream.lines) read(line);
  };
  const run = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      try {
        await watch();
      } catch (error) {
        // A connection that breaks is opened again where it broke off; everything else is a gap.
        if (!isServiceError(error, 'unavailable')) throw error;
        await pause(RETRY_MS);
      }
    }
  };
  const running = run().catch((error: unknown) => {
    gap = error instanceof Error ? error : new Error('the recording has a gap');
  });
  return {
    async stop() {
      stop.abort();
      await running;
      if (gap !== undefined) throw gap;
    },
  };
}

async function currentRevision(gateway: Gateway, resource: Resource, namespace: string): Promise<string> {
  const reply = await gateway.request(
    { verb: 'list', resource, namespace, query: { limit: '1' } },
    startDeadline(20_000),
  );
  return (reply.body as { metadata: { resourceVersion: string } }).metadata.resourceVersion;
}

function revisionOf({ metadata }: ClusterObject): number {
  return Number(metadata.resourceVersion);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
