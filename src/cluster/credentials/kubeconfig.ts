import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { KubeConfig, type User } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { ServiceError } from '../../errors/service-error.ts';
import { field } from '../objects/raw-object.ts';
import { selectAuthenticator } from './authenticators.ts';

const TOKEN_FILE = '/var/run/secrets/kubernetes.io/serviceaccount/token';

export interface KubeconfigPlaces {
  /** The value of KUBECONFIG: files joined by the platform's path delimiter. Undefined or empty if it is not set. */
  readonly kubeconfig: string | undefined;
  /** The folder of `.kube/config`. */
  readonly home?: string;
  /** A prefix for the paths of a pod's service account, for tests. */
  readonly root?: string;
  /** For proxies, and for the programs that a kubeconfig names. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/**
 * Finds the cluster as kubectl does: the files of KUBECONFIG, else `~/.kube/config`, else the service account of the
 * pod. Of several files, the first that names a cluster, user, context or current context counts, and missing files are
 * skipped (https://kubernetes.io/docs/concepts/configuration/organize-cluster-access-kubeconfig/). Unlike kubectl, a
 * KUBECONFIG without any existing file is an error.
 * @throws {ServiceError} `notConfigured`, with a message for the operator
 */
export function findKubeconfig({ kubeconfig, home = homedir(), root = '' }: KubeconfigPlaces): KubeConfig {
  const named = (kubeconfig ?? '').split(path.delimiter).filter((file) => file !== '');
  const files = (named.length > 0 ? named : [path.join(home, '.kube', 'config')]).filter((file) =>
    existsSync(file),
  );
  if (files.length > 0) return firstWins(files.map(readKubeconfig));
  if (named.length > 0) throw notConfigured('KUBECONFIG names no file that exists', 'kubeconfigMissing');
  if (existsSync(`${root}${TOKEN_FILE}`)) return inCluster(root);
  throw notConfigured(
    'No cluster was found: set KUBECONFIG, provide ~/.kube/config, or run in a pod with a service account',
    'clusterNotFound',
  );
}

/** Reads the text of a kubeconfig, YAML or JSON. */
export function parseKubeconfig(text: string): KubeConfig {
  return parsed((config) => {
    config.loadFromString(text);
    config.users = completed(config.users, text, '');
  });
}

export function notConfigured(message: string, reason: string, cause?: unknown): ServiceError {
  return new ServiceError('notConfigured', message, { reason, cause });
}

function readKubeconfig(file: string): KubeConfig {
  return parsed((config) => {
    config.loadFromFile(file);
    config.users = completed(config.users, readFileSync(file, 'utf8'), path.dirname(file));
  });
}

/** The library does not read `tokenFile`. */
function completed(users: readonly User[], text: string, folder: string): User[] {
  const raw: unknown = field(parse(text), 'users');
  const entries: readonly unknown[] = Array.isArray(raw) ? raw : [];
  return users.map((user) => {
    const entry = entries.find((one) => field(one, 'name') === user.name);
    const tokenFile =
      field(field(entry, 'user'), 'tokenFile') ?? field(field(user.authProvider, 'config'), 'tokenFile');
    const resolve = (file: string): string => path.resolve(folder, file);
    return selectAuthenticator(
      user,
      typeof tokenFile === 'string' && tokenFile !== '' ? tokenFile : undefined,
      resolve,
    );
  });
}

/** The library's errors quote the file, which contains tokens and keys. They are replaced. */
function parsed(load: (config: KubeConfig) => void): KubeConfig {
  const config = new KubeConfig();
  try {
    load(config);
  } catch (cause) {
    throw notConfigured('The kubeconfig cannot be read', 'kubeconfigMalformed', cause);
  }
  return config;
}

/** The library's own merge refuses names that occur twice, and uses the last current context. */
function firstWins(configs: readonly KubeConfig[]): KubeConfig {
  const merged = new KubeConfig();
  merged.loadFromOptions({
    clusters: firstByName(configs.flatMap((config) => config.getClusters())),
    users: firstByName(configs.flatMap((config) => config.getUsers())),
    contexts: firstByName(configs.flatMap((config) => config.getContexts())),
    // As in kubectl, an empty current context counts as none.
    currentContext: configs.map((config) => config.getCurrentContext()).find((name) => name),
  });
  return merged;
}

function firstByName<Entry extends { readonly name: string }>(entries: readonly Entry[]): Entry[] {
  const byName = new Map<string, Entry>();
  for (const entry of entries) if (!byName.has(entry.name)) byName.set(entry.name, entry);
  return [...byName.values()];
}

function inCluster(root: string): KubeConfig {
  const config = new KubeConfig();
  config.loadFromCluster(root);
  config.users = completed(config.users, '', '');
  return config;
}
