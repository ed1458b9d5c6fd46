import type { Deadline } from '../timing/deadline.ts';
import { ServiceError } from '../errors/service-error.ts';
import { encodeWithinBudget } from './budgets.ts';
import { RULE_LISTS, type AccessRules, type RuleEdit } from '../contract/access-rules.ts';
import { checkUpdate, type SecretEdit, type UpdateRequest, type ValueChange } from './input.ts';
import type { SecretData, StoredSecret } from '../kube/secret.ts';
import type { AuthorizedSecret } from './authorize.ts';
import { binaryKeysOf, detailOf, type SecretDetail } from './secret-view.ts';
import type { SecretsDependencies } from './ports.ts';
import { planWrite, writeBack } from './write-back.ts';
import {
  annotationsFitBudget,
  bootstrapTokenIsByAdmin,
  dataFitsType,
  immutableDataIsUnchanged,
  isNoServiceAccountToken,
  dataFitsBudget,
  recoveryIsByAdmin,
  revisionIsCurrent,
  secretFitsStore,
  typeFitsHistory,
  valuesAreNotBeingDeleted,
  versionCanGrow,
  type ChangeFacts,
  gathered,
  runChecks,
  type Check,
} from './write-checks.ts';

interface UpdateFacts extends ChangeFacts {
  readonly edit: () => SecretEdit;
  readonly mayManage: () => Promise<unknown>;
}

/** The checks of an update, in the order of their errors. */
export const UPDATE_CHECKS: readonly Check<UpdateFacts>[] = [
  requestIsValid,
  rulesAreChangedByManager,
  recoveryIsByAdmin,
  bootstrapTokenIsByAdmin,
  dataFitsBudget,
  valuesAreNotBeingDeleted,
  revisionIsCurrent,
  isNoServiceAccountToken,
  textReplacesNoBinary,
  removedKeysExist,
  immutableDataIsUnchanged,
  dataFitsType,
  versionCanGrow,
  annotationsFitBudget,
  secretFitsStore,
  typeFitsHistory,
];

/**
 * Updates a live Secret: replaces all values, or changes those of some keys.
 * @throws {ServiceError} the errors of {@link UPDATE_CHECKS}, and whatever {@link writeBack} throws
 */
export async function updateSecret(
  dependencies: SecretsDependencies,
  authorized: AuthorizedSecret<'write'>,
  request: UpdateRequest,
  deadline: Deadline,
): Promise<SecretDetail> {
  const { actor, live, access } = authorized;
  const { namespace } = live;
  const { resourceVersion, recoverCounter } = request;
  const edit = gathered(() => checkUpdate(request));
  const encoded = gathered(() => dataAfter(live, edit().values));
  const plan = gathered(() => {
    const { values, ...metadata } = edit();
    const hasNewValues = values !== undefined;
    const write = { metadata, data: encoded(), hasNewValues, recoverCounter };
    return planWrite(dependencies, authorized, write, deadline);
  });
  await runChecks(UPDATE_CHECKS, {
    ...{ actor, namespace, live, resourceVersion, recoverCounter, edit, plan },
    mayManage: () => access.require('manage', deadline),
    hasData: () => edit().values !== undefined,
    type: () => live.type,
    data: () => encoded() ?? live.data,
    annotations: async () => (await plan()).annotations,
  });
  const written = await writeBack(dependencies, authorized, await plan(), deadline);
  return detailOf(written, dependencies.now());
}

/**
 * All values after a change; undefined if it keeps them.
 * @throws {ServiceError} `tooLarge`
 */
function dataAfter({ data }: StoredSecret, change: ValueChange | undefined): SecretData | undefined {
  if (change === undefined) return undefined;
  const { replacesAll, texts, binary, remove } = change;
  const bytes = new Map(replacesAll ? [] : data);
  for (const key of [...remove, ...texts.keys()]) bytes.delete(key);
  for (const [key, value] of binary) bytes.set(key, value);
  return encodeWithinBudget(texts, bytes);
}

/** @throws {ServiceError} `invalidRequest`, naming the field and the rule */
function requestIsValid({ edit }: UpdateFacts): void {
  edit();
}

/** The level that an update needs: rules are for whoever manages the Secret. Lists that stay as they are need less. */
export function levelOfUpdate(stored: AccessRules, edit: RuleEdit): 'write' | 'manage' {
  return RULE_LISTS.some((list) => isChanged(stored[list], edit[list])) ? 'manage' : 'write';
}

function isChanged(stored: readonly string[] = [], given: readonly string[] | undefined): boolean {
  if (given === undefined) return false;
  return given.length !== stored.length || given.some((entry, index) => entry.trim() !== stored[index]);
}

/** @throws {ServiceError} `forbidden` or `policyUnavailable` */
async function rulesAreChangedByManager({ live, edit, mayManage }: UpdateFacts): Promise<void> {
  if (levelOfUpdate(live.managed, edit()) === 'manage') await mayManage();
}

/** A client that shows text only would otherwise drop or change the binary values that it cannot send. */
function textReplacesNoBinary({ live, edit }: UpdateFacts): void {
  if (edit().values?.replacesAll !== true || binaryKeysOf(live.data).length === 0) return;
  throw new ServiceError('invalidSecret', 'data of a Secret with binary values cannot be replaced by text', {
    reason: 'binaryValues',
  });
}

/** @throws {ServiceError} `invalidSecret` */
function removedKeysExist({ live, edit }: UpdateFacts): void {
  if (edit().values?.remove.every((key) => live.data.has(key)) ?? true) return;
  throw new ServiceError('invalidSecret', 'remove names a key that this Secret does not have', {
    reason: 'keyAbsent',
  });
}
