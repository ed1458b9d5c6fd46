import {
  createSecretTables,
  metadataRecordOf,
  type SecretRecord,
  type SecretTable,
} from '../caches/secret-table.ts';
import { watchSecretIdentities, watchSecretMetadata } from '../cluster/stores/secret-metadata.ts';
import type { Change } from '../informers/object-store.ts';
import { backgroundComponent } from './components.ts';
import type { Component } from './lifecycle.ts';
import {
  SECRETS_INFORMER,
  watchListedSecrets,
  type ListedSecrets,
  type SecretsWatchOptions,
} from './listed-secrets.ts';
import { auditTasks, createReflectors, runTasks, type Reflectors } from './reflectors.ts';

/** The change of a Secret object, live or history. */
export type SecretRecordChange = Change<SecretRecord>;

/** The one list and watch of Secrets, or one for each namespace that the scope names. */
export interface SecretsWatch {
  /** Live Secrets as lists need them; undefined when SERVICE_LIST_CACHE is false. */
  readonly listed: ListedSecrets | undefined;
  readonly all: Reflectors<SecretTable>;
  /** Called with every change after it is stored. */
  onChange(handler: (change: SecretRecordChange) => void): void;
  readonly component: Component;
}

/**
 * Follows all Secrets in scope, history objects included, for lists and for the history. So both are of the same
 * revision, and the cluster sends each event once. Without lists from memory the values are not transferred.
 */
export function createSecretsWatch(options: SecretsWatchOptions): SecretsWatch {
  const { settings, cluster, prefix } = options;
  const handlers: ((change: SecretRecordChange) => void)[] = [];
  const onChange = (change: SecretRecordChange): void => {
    for (const handle of handlers) handle(change);
  };
  const listed = settings.lists.cache ? watchListedSecrets(options, onChange) : undefined;
  const all = listed?.reflectors ?? watchMetadata(options, onChange);
  const metadataOf = (watched: Parameters<typeof watchSecretIdentities>[1]) =>
    watchSecretIdentities(cluster.gateway, watched);
  const tasks = [
    ...runTasks(all),
    ...(listed?.tasks ?? []),
    ...auditTasks({ ...options, informer: SECRETS_INFORMER, reflectors: all, metadataOf }),
  ];
  return {
    listed,
    all,
    onChange: (handler) => {
      handlers.push(handler);
    },
    component: backgroundComponent('secrets watch', tasks.map(prefix.whenSettled)),
  };
}

function watchMetadata(
  { scope, cluster, codec, logger, metrics, restore }: SecretsWatchOptions,
  onChange: (change: SecretRecordChange) => void,
): Reflectors<SecretTable> {
  const newTable = createSecretTables();
  return createReflectors({
    informer: SECRETS_INFORMER,
    scopes: scope.watched,
    sourceOf: (watched) => watchSecretMetadata(cluster.gateway, codec, watched),
    project: metadataRecordOf,
    createTable: () => newTable(),
    onChange,
    logger,
    metrics,
    restore,
  });
}
