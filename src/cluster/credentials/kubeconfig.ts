import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { KubeConfig, type User } from '@kubernetes/client-node';
import { parse } from 'yaml';
import { ServiceError } from '../../errors/service-error.ts';
import { field } from '../objects/raw-object.ts';
import { textOf } from './authenticators.ts';

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
  if (files.length > 0) {
    return firstWins(files.map((file) => load(() => readFileSync(file, 'utf8'), path.dirname(file))));
  }
  if (named.length > 0) throw notConfigured('KUBECONFIG names no file that exists', 'kubeconfigMissing');
  if (existsSync(`${root}${TOKEN_FILE}`)) {
    const config = new KubeConfig();
    config.loadFromCluster(root);
    return config;
  }
  throw notConfigured(
    'No cluster was found: set KUBECONFIG, provide ~/.kube/config, or run in a pod with a service account',
    'clusterNotFound',
  );
}

/** Reads the text of a kubeconfig, YAML or JSON. */
export function parseKubeconfig(text: string): KubeConfig {
  return load(() => text);
}

export function notConfigured(message: string, reason: string, cause?: unknown): ServiceError {
  return new ServiceError('notConfigured', message, { reason, cause });
}

/** @param folder that of the file, which paths in it are relative to */
function load(read: () => string, folder = ''): KubeConfig {
  const config = new KubeConfig();
  try {
    const text = read();
    config.loadFromString(text);
    if (folder !== '') config.makePathsAbsolute(folder);
    const users = field(parse(text), 'users');
    config.users = completed(config.users, Array.isArray(users) ? users : [], folder);
  } catch (cause) {
    // The library's errors quote the file, which contains tokens and keys.
    throw notConfigured('The kubeconfig cannot be read', 'kubeconfigMalformed', cause);
  }
  return config;
}

/** The library does not read `tokenFile`, and does not look for a program beside the kubeconfig. */
function completed(users: readonly User[], entries: readonly unknown[], folder: string): User[] {
  return users.map(({ exec, authProvider, ...user }) => {
    const entry = entries.find((one) => field(one, 'name') === user.name);
    const tokenFile = textOf(field(field(entry, 'user'), 'tokenFile'));
    const command = textOf(field(exec, 'command'));
    // A name without a path is looked for in PATH.
    const isPath = command?.includes('/') === true;
    return {
      ...user,
      exec: isPath ? { ...(exec as object), command: path.resolve(folder, command) } : (exec as unknown),
      authProvider:
        tokenFile === undefined
          ? (authProvider as unknown)
          : { name: 'tokenFile', config: { tokenFile: path.resolve(folder, tokenFile) } },
    };
  });
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
  return entries.filter((entry) => entry === entries.find(({ name }) => name === entry.name));
}
