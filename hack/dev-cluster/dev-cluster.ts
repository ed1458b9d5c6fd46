import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { createAuthenticator, createTokenJudge, isLoopback } from './access/authenticator.ts';
import { createAuthorizer } from './access/authorizer.ts';
import { bootstrapObjects } from './access/bootstrap.ts';
import { createRouter } from './api/router.ts';
import { FaultBook } from './faults/fault-book.ts';
import { RequestLog } from './faults/request-log.ts';
import { createDevApi } from './http/dev-api.ts';
import { createPipeline } from './http/pipeline.ts';
import { listen, type ServerTls } from './http/server.ts';
import { decodeObject } from './kinds/decode.ts';
import { authorityOf, kubeconfigOf } from '../kubeconfig.ts';
import { type ResourceContext } from './resources/context.ts';
import { createObject } from './resources/create.ts';
import { startNamespaceSweeper } from './resources/namespace-sweeper.ts';
import { stepRollouts } from './resources/rollouts.ts';
import { readStateFile } from './state/state-file.ts';
import { keepState } from './state/state-keeper.ts';
import { Store } from './store/store.ts';
import { createWatchHub } from './watch/watch-hub.ts';

export interface DevClusterOptions {
  /** 0 (the default) takes any free port. */
  readonly port?: number;
  /** 127.0.0.1 by default. On any other than a loopback address a request without a token is refused. */
  readonly host?: string;
  readonly adminToken?: string;
  /** Without it, plain HTTP. The certificate is its own CA. */
  readonly tls?: ServerTls;
  /** Where the state is kept from one run to the next; without it, nowhere. */
  readonly stateFile?: string;
  readonly log?: (line: string) => void;
  /** How often watches get a bookmark; 60,000 by default, as in a real cluster. */
  readonly bookmarkEveryMs?: number;
  /** How long each step of emptying a deleted namespace takes; 0 by default. */
  readonly namespaceStepMs?: number;
  /** How many changes are remembered for watches and pages to go back to. */
  readonly historyLimit?: number;
}

/** A running development cluster. */
export interface DevCluster {
  readonly url: string;
  readonly adminToken: string;
  /** Rules by which requests go wrong. */
  readonly faults: FaultBook;
  /** The requests that came in, without bodies or values. */
  readonly requests: RequestLog;
  /** The text of a kubeconfig whose user is the administrator. */
  kubeconfig(): string;
  /** Forgets all history: watches and continue tokens of before answer 410. */
  compact(): void;
  /** Sends a bookmark to every watch that takes them, now. */
  bookmark(): void;
  /** Takes the rollout of every workload one step further. No controller does. */
  readonly stepRollouts: () => void;
  /** The connections that are open. */
  connections(): number;
  /** Sends each connection with HTTP/2 away: its streams finish, and further ones are refused. */
  goAway(): void;
  /** Closes the connections that no request uses. */
  closeIdle(): void;
  /** Ends all connections, writes the state, and resolves when nothing is left running. */
  close(): Promise<void>;
}

const BOOKMARK_EVERY_MS = 60_000;
const BOOTSTRAP = { dryRun: false, manager: 'kube-apiserver' };
/** The characters of generated names: no vowels, so that no words come out. */
const SUFFIX_CHARACTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** Starts a server that speaks the Kubernetes API. Rejects when the port is taken or the state file unusable. */
export async function startDevCluster(options: DevClusterOptions = {}): Promise<DevCluster> {
  const { host = '127.0.0.1', adminToken = 'dev-token', log = () => undefined } = options;
  const { context, tokenKey } = openStore(options);
  const { store, authorize } = context;
  const faults = new FaultBook();
  const requests = new RequestLog();
  const hub = createWatchHub(store, faults, options.bookmarkEveryMs ?? BOOKMARK_EVERY_MS);
  const judge = createTokenJudge({ adminToken, tokenKey, store, now: context.now });
  const authenticate = createAuthenticator(judge, isLoopback(host));
  const route = createRouter(context, { tokenKey, judge });
  const api = createPipeline({ authenticate, authorize, route, faults, requests, hub, random: Math.random });
  const actions = {
    compact: store.compact.bind(store),
    bookmark: hub.bookmark.bind(hub),
    goAway: () => {
      listener.goAway();
    },
    closeIdle: () => {
      listener.closeIdle();
    },
  };
  const devApi = createDevApi({ authenticate, faults, requests, actions });
  const place = { host, port: options.port ?? 0, tls: options.tls };
  const listener = await listen({ api, devApi, log }, place);
  const { url } = listener;
  const sweeper = startNamespaceSweeper(context, options.namespaceStepMs ?? 0);
  const keeper =
    options.stateFile === undefined ? undefined : keepState(options.stateFile, store, tokenKey, log);

  return {
    url,
    adminToken,
    faults,
    requests,
    kubeconfig: () => {
      const cluster = { server: url, ...authorityOf(options.tls?.cert) };
      return kubeconfigOf({ name: 'dev', cluster, user: { token: adminToken } });
    },
    ...actions,
    stepRollouts: stepRollouts.bind(undefined, context),
    connections: () => listener.connections(),
    async close() {
      sweeper.stop();
      hub.close();
      await listener.close();
      await keeper?.close();
    },
  };
}

/** The state of an earlier run, or a fresh cluster. */
function openStore(options: DevClusterOptions): {
  readonly context: ResourceContext;
  readonly tokenKey: Buffer;
} {
  const saved = options.stateFile === undefined ? undefined : readStateFile(options.stateFile);
  const store = new Store({
    ...(saved === undefined ? {} : { revision: saved.revision, compacted: saved.compacted }),
    ...(options.historyLimit === undefined ? {} : { historyLimit: options.historyLimit }),
  });
  const authorize = createAuthorizer(store);
  const context = { store, authorize, now: () => new Date(), newUid: () => randomUUID(), nameSuffix };
  for (const [resource, key, object] of saved?.objects ?? []) store.restore(resource, key, object);
  for (const change of saved?.changes ?? []) store.restoreChange(change);
  if (saved === undefined) {
    for (const [kind, body] of bootstrapObjects())
      createObject(context, { kind, namespace: '', draft: decodeObject(kind, body).draft }, BOOTSTRAP);
  }
  return { context, tokenKey: saved?.tokenKey ?? randomBytes(32) };
}

function nameSuffix(): string {
  return Array.from({ length: 5 }, () => SUFFIX_CHARACTERS.charAt(randomInt(SUFFIX_CHARACTERS.length))).join(
    '',
  );
}
