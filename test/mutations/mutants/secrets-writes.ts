import type { Mutant } from '../mutant.ts';

const CREATE = 'src/secrets/create-secret.ts';
const DELETE = 'src/secrets/delete-secret.ts';
const CODEC = 'src/kube/annotation-codec.ts';
const UPDATE = 'src/secrets/update-secret.ts';
const WRITE_BACK = 'src/secrets/write-back.ts';
const WRITE_CHECKS = 'src/secrets/write-checks.ts';

export const SECRETS_WRITES: readonly Mutant[] = [
  {
    file: UPDATE,
    what: 'an update with a description drops its data',
    find: '{ metadata, data, hasNewValues: values !== undefined, recoverCounter }',
    replace:
      '{ metadata, data: metadata.description === undefined ? data : undefined, hasNewValues: values !== undefined, recoverCounter }',
  },
  {
    file: UPDATE,
    what: 'an update with data drops its access rules',
    find: '{ metadata, data, hasNewValues: values !== undefined, recoverCounter }',
    replace:
      '{ metadata: data === undefined ? metadata : { ...metadata, allowedGroups: undefined, allowedUsers: undefined }, ' +
      'data, hasNewValues: values !== undefined, recoverCounter }',
  },
  {
    file: UPDATE,
    what: 'an update does not compare the revision of the client',
    find: '  if (values !== undefined) requireNotBeingDeleted(live);\n  requireCurrentRevision(live, resourceVersion);\n',
    replace: '  if (values !== undefined) requireNotBeingDeleted(live);\n',
  },
  {
    file: UPDATE,
    what: 'everyone may recover the counter by an update',
    find: '  request.onActor?.(actor);\n  requireAdminForRecovery(actor, recoverCounter);\n',
    replace: '  request.onActor?.(actor);\n',
  },
  {
    file: UPDATE,
    what: 'everyone may write bootstrap tokens by an update',
    find: '  requireAdminForBootstrapToken(actor, live);\n  const data',
    replace: '  const data',
  },
  {
    file: UPDATE,
    what: 'text replaces binary values',
    find: 'if (replacesAll && binaryKeysOf(data).length > 0) {',
    replace: 'if (replacesAll && binaryKeysOf(data).length < 0) {',
  },
  {
    file: WRITE_BACK,
    what: 'an update of the values of an immutable Secret is sent to the cluster',
    find: '  requireSameIfImmutable(live, after);\n',
    replace: '  if (!hasNewValues) requireSameIfImmutable(live, after);\n',
  },
  {
    file: WRITE_CHECKS,
    what: 'an immutable Secret refuses the values that it has',
    find: '!live.immutable || sameData(live.data, data)',
    replace: '!live.immutable',
  },
  {
    file: WRITE_BACK,
    what: 'the rules of a type are left out where an update keeps the values',
    find: '  await requireTypeRule(live.type, after);\n',
    replace: '  if (data !== undefined) await requireTypeRule(live.type, after);\n',
  },
  {
    file: UPDATE,
    what: 'an update writes to the token of a service account',
    find: '  requireNoServiceAccountToken(live.type);\n  if (values',
    replace: '  if (values',
  },
  {
    file: UPDATE,
    what: 'a restore does not compare the revision that the client has looked at',
    find: 'if (listed !== undefined && listed !== sourceResourceVersion) {',
    replace: "if (listed === '') {",
  },
  {
    file: UPDATE,
    what: 'a restore does not compare the live revision of the client',
    find: '  requireNotBeingDeleted(live);\n  requireCurrentRevision(live, resourceVersion);\n  requireNoServiceAccountToken(live.type);\n  const snapshot',
    replace: '  requireNotBeingDeleted(live);\n  requireNoServiceAccountToken(live.type);\n  const snapshot',
  },
  {
    file: UPDATE,
    what: 'a version of another type is restored',
    find: 'if (type !== live.type) {',
    replace: "if (type === '') {",
  },
  {
    file: UPDATE,
    what: 'a restore lets its source be pruned before the replacement',
    find: '    keepVersion: version,\n',
    replace: '',
  },
  {
    file: UPDATE,
    what: 'a restore clears the description',
    find: 'metadata: { description: undefined,',
    replace: "metadata: { description: '',",
  },
  {
    file: WRITE_BACK,
    what: 'a restore of an immutable Secret is sent to the cluster',
    find: '  requireSameIfImmutable(live, after);\n',
    replace: '  if (hasNewValues) requireSameIfImmutable(live, after);\n',
  },
  {
    file: WRITE_BACK,
    what: 'a restore brings values back that do not fit the type',
    find: '  await requireTypeRule(live.type, after);\n',
    replace: '  if (hasNewValues) await requireTypeRule(live.type, after);\n',
  },
  {
    file: UPDATE,
    what: 'everyone may recover the counter by a restore',
    find: '  checkRestore(request);\n  requireAdminForRecovery(actor, recoverCounter);\n',
    replace: '  checkRestore(request);\n',
  },
  {
    file: DELETE,
    what: 'a deletion does not compare the revision of the client',
    find: '  requireCurrentRevision(live, resourceVersion);\n',
    replace: '',
  },
  {
    file: DELETE,
    what: 'the live Secret is deleted before its history',
    find:
      '  if (!keepHistory) await history.clean(live, confirmUnchanged, deadline);\n' +
      '  const record = deletion && { record: deletion, requireUnchanged: confirmUnchanged };\n' +
      '  const archived = record && (await history.final.archive(live, record, deadline).catch(explainCollision));\n' +
      '  await confirmUnchanged();\n' +
      "  await store.delete(live, live, deadline).catch(throwRace('deletePrecondition', 'disappearedBeforeDelete'));\n",
    replace:
      '  const record = deletion && { record: deletion, requireUnchanged: confirmUnchanged };\n' +
      '  const archived = record && (await history.final.archive(live, record, deadline).catch(explainCollision));\n' +
      '  await confirmUnchanged();\n' +
      "  await store.delete(live, live, deadline).catch(throwRace('deletePrecondition', 'disappearedBeforeDelete'));\n" +
      '  if (!keepHistory) await history.clean(live, () => Promise.resolve(), deadline);\n',
  },
  {
    file: DELETE,
    what: 'a deletion with archive is acknowledged without proof that the snapshot stays',
    find: '  if (archived !== undefined) await history.final.confirm(archived, deadline);\n',
    replace: '',
  },
  {
    file: DELETE,
    what: 'no one waits for the history to be cleaned',
    find: 'if (!keepHistory) await history.clean(',
    replace: 'if (!keepHistory) void history.clean(',
  },
  {
    file: WRITE_BACK,
    what: 'a Secret that has changed during the cleaning goes on losing its history',
    find: 'now?.uid === live.uid && now.resourceVersion === live.resourceVersion',
    replace: 'now?.uid === live.uid',
  },
  {
    file: DELETE,
    what: 'a Secret that was recreated after the deletion is reported as the one that waits for its finalizers',
    find: 'if (still.uid !== uid) {',
    replace: "if (still.uid === '') {",
  },
  {
    file: DELETE,
    what: 'a precondition that fails is reported as a failure of the cluster',
    find: ".catch(throwRace('deletePrecondition', 'disappearedBeforeDelete'))",
    replace:
      ".catch((error: unknown) => { throw isServiceError(error, 'conflict') ? new ServiceError('unavailable', 'The cluster failed') : error; })",
  },
  {
    file: DELETE,
    what: 'a deletion that was accepted is reported as done',
    find: '  return confirmDeletion(store, live,',
    replace:
      "  if (!keepHistory) return { status: 'deleted', name: live.name, uid: live.uid, history: 'cleaned' };\n" +
      '  return confirmDeletion(store, live,',
  },
  {
    file: CREATE,
    what: 'no one waits for the right to create',
    find: "const { authorizer, codec, now } = dependencies;\n  await authorizer.accessWithin(actor, namespace).require('write', deadline);",
    replace:
      'const { authorizer, codec, now } = dependencies;\n  await Promise.resolve();\n' +
      "  authorizer.accessWithin(actor, namespace).require('write', deadline).catch(() => undefined);",
  },
  {
    file: CREATE,
    what: 'the body is looked at before the right to create',
    find:
      "  await authorizer.accessWithin(actor, namespace).require('write', deadline);\n" +
      '  const yielder = createEventLoopYielder();\n  const parsed = request();\n',
    replace:
      '  const yielder = createEventLoopYielder();\n  const parsed = request();\n' +
      "  await authorizer.accessWithin(actor, namespace).require('write', deadline);\n",
  },
  {
    file: CREATE,
    what: 'everyone may create bootstrap tokens',
    find: '  requireAdminForBootstrapToken(actor, { namespace, type });\n  const data',
    replace: '  const data',
  },
  {
    file: CREATE,
    what: 'the limit of annotations is not checked on create',
    find: '  requireStorable(draft);\n',
    replace: '  requireStorable({ ...draft, annotations: new Map() });\n',
  },
  {
    file: CREATE,
    what: 'the rules of a type are not checked on create',
    find: '  await requireTypeRule(draft.type, draft.data);\n',
    replace: '',
  },
  {
    file: CREATE,
    what: 'a Secret is created that could never be archived',
    find: '  requireStorable(draft);\n',
    replace: "  requireStorable({ ...draft, type: '' });\n",
  },
  {
    file: WRITE_BACK,
    what: 'no one proves after the replacement that the archived state stays',
    find: '  await history.confirm(receipt, written, deadline);\n',
    replace: '',
  },
  {
    file: WRITE_BACK,
    what: 'the archived state is proven before the replacement',
    find:
      '  const written = await replace(change).catch(receipt.notReplaced);\n' +
      '  await history.confirm(receipt, written, deadline);\n',
    replace:
      '  await history.confirm(receipt, live, deadline);\n' +
      '  const written = await replace(change).catch(receipt.notReplaced);\n',
  },
  {
    file: WRITE_BACK,
    what: 'a replacement does not wait for the archive',
    find:
      '  const receipt = await history.archive(live, current, keepVersion, deadline);\n' +
      '  const written = await replace(change).catch(receipt.notReplaced);\n',
    replace:
      '  const written = await replace(change);\n' +
      '  const receipt = await history.archive(live, current, keepVersion, deadline);\n',
  },
  {
    file: WRITE_BACK,
    what: 'a recovery does not move the counter',
    find: 'version: current + 1 },',
    replace: 'version: counter + 1 },',
  },
  {
    file: WRITE_BACK,
    what: 'an update of the description alone is not held to what the cluster can store',
    find: 'requireStorable({ ...live, data: after, annotations });',
    replace: 'requireStorable({ ...live, data: data ?? new Map(), annotations });',
  },
  {
    file: WRITE_CHECKS,
    what: 'a counter at the end of the numbers is raised beyond them',
    find: 'if (!Number.isSafeInteger(version + 1)) throw',
    replace: 'if (!Number.isSafeInteger(version)) throw',
  },
  {
    file: WRITE_BACK,
    what: 'a Secret that went between the read and the write is reported as not found',
    find: "    if (isServiceError(error, 'notFound')) throw writeRace(gone, error);\n",
    replace: '',
  },
  {
    file: WRITE_CHECKS,
    what: 'a revision that is newer than the live one is accepted',
    find: 'live.resourceVersion !== resourceVersion',
    replace: 'Number(resourceVersion) < Number(live.resourceVersion)',
  },
  {
    file: CODEC,
    what: 'annotations of others are dropped by a write',
    find: 'const annotations = new Map(stored);',
    replace:
      'const annotations = new Map([...stored].filter(([key]) => Object.values(names).includes(key)));',
  },
  {
    file: WRITE_BACK,
    what: 'the email of the last writer is stored as the provider spells it',
    find: 'emailKey(actor.user.email)',
    replace: 'actor.user.email',
  },
];
