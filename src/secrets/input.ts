import { entryViolation, MAX_RULE_ENTRIES } from '../contract/access-entry.ts';
import { RULE_LISTS, type RuleEdit, type RuleList } from '../contract/access-rules.ts';
import { expiresAtViolation, rotateEveryViolation } from '../contract/expiry.ts';
import { formatTime, parseTime } from '../contract/times.ts';
import { invalidRequest } from '../errors/service-error.ts';
import type { ExpiryEdit, ManagedEdit } from '../kube/annotation-codec.ts';
import type { SecretData } from '../kube/secret.ts';
import { isValidKey, KEY_RULE } from '../contract/keys.ts';
import { newNameViolation } from '../contract/names.ts';
import { storedType } from '../contract/secret-types.ts';
import { descriptionViolation, lineViolation, noteViolation, textViolation } from '../contract/text.ts';

/** Plain text values from a client, not yet checked. */
export type TextData = ReadonlyMap<string, string>;

const NO_DATA: TextData = new Map();
const NO_BYTES: SecretData = new Map();

/** Undefined keeps what is stored; an undefined or empty note is none. */
export type MetadataEdit = Pick<ManagedEdit, RuleList | keyof ExpiryEdit | 'description' | 'changeNote'>;

/** The body of a create request: checked types, unchecked values. */
export interface CreateRequest extends Partial<MetadataEdit> {
  readonly name: string;
  readonly type?: string | undefined;
  readonly data?: TextData | undefined;
  /** Merged over `data`. */
  readonly stringData?: TextData | undefined;
  /** Base64 by key. */
  readonly setBinary?: TextData | undefined;
}

/** Changes of single keys: checked types, unchecked values. */
export interface PatchRequest {
  readonly set: TextData;
  /** Base64 by key. */
  readonly setBinary: TextData;
  readonly remove: readonly string[];
}

/** The body of an update request: checked types, unchecked values. Undefined keeps the stored value. */
export interface UpdateRequest extends Partial<MetadataEdit> {
  readonly resourceVersion: string;
  /** Replaces all values. */
  readonly data?: TextData | undefined;
  /** Changes some of them instead. A patch must change something. */
  readonly patch?: PatchRequest;
  /** An admin has reviewed a snapshot collision. */
  readonly recoverCounter?: boolean | undefined;
}

/** The body of a restore request. */
export interface RestoreRequest extends Pick<
  UpdateRequest,
  'resourceVersion' | 'changeNote' | 'recoverCounter'
> {
  readonly version: number;
  /** The archived revision, as it was listed. */
  readonly sourceResourceVersion?: string | undefined;
  /** Only these take the version's bytes, or are removed where it has none; undefined for all. */
  readonly keys?: readonly string[] | undefined;
}

/** How an update changes the values, checked. No key is named twice. */
export interface ValueChange {
  readonly texts: TextData;
  readonly binary: SecretData;
  /** Otherwise keys that are not named keep their bytes. */
  readonly replacesAll: boolean;
  readonly remove: readonly string[];
}

/** @throws {ServiceError} `invalidRequest`, naming the field and the rule */
export function checkCreate(request: CreateRequest) {
  const nameViolation = newNameViolation(request.name);
  if (nameViolation !== undefined) throw invalidRequest(`name ${nameViolation}`);
  requireValid('type', lineViolation, request.type);
  checkData('data', request.data);
  checkData('stringData', request.stringData);
  const texts = new Map([...(request.data ?? []), ...(request.stringData ?? [])]);
  const binary = decoded(request.setBinary);
  requireNamedOnce([texts.keys(), binary.keys()], 'data, stringData and setBinary');
  return {
    name: request.name,
    type: storedType(request.type),
    values: { texts, binary },
    allowedGroups: [],
    allowedUsers: [],
    ...checkMetadata(request),
  };
}

/**
 * Without `values` an update keeps all of them.
 * @throws {ServiceError} `invalidRequest`, naming the field and the rule
 */
export function checkUpdate(request: UpdateRequest) {
  requireRevision(request.resourceVersion);
  return { values: valuesOf(request), ...checkMetadata(request) };
}

function checkMetadata(request: Partial<MetadataEdit>): MetadataEdit {
  const { description, changeNote, expiresAt, rotateEvery } = request;
  requireValid('description', descriptionViolation, description);
  requireValid('changeNote', noteViolation, changeNote);
  requireValid('expiresAt', expiresAtViolation, expiresAt);
  requireValid('rotateEvery', rotateEveryViolation, rotateEvery);
  const time = parseTime(expiresAt ?? '');
  return {
    ...{ description, changeNote, rotateEvery },
    expiresAt: time === undefined ? expiresAt : formatTime(time),
    ...checkRules(request),
  };
}

/** @throws {ServiceError} `invalidRequest`, naming the field and the rule */
export function checkRestore(request: RestoreRequest): void {
  const { resourceVersion, sourceResourceVersion, keys, changeNote } = request;
  requireRevision(resourceVersion);
  requireValid('sourceResourceVersion', textViolation, sourceResourceVersion);
  requireValid('changeNote', noteViolation, changeNote);
  if (keys === undefined) return;
  if (keys.length === 0) throw invalidRequest('keys must name at least one key');
  if (!keys.every(isValidKey)) throw invalidRequest(`keys: ${KEY_RULE}`);
  requireNamedOnce([keys], 'keys');
}

function requireRevision(resourceVersion: string): void {
  if (resourceVersion.trim() === '') throw invalidRequest('resourceVersion must not be blank');
  requireValid('resourceVersion', textViolation, resourceVersion);
}

function valuesOf({ data, patch, ...metadata }: UpdateRequest): ValueChange | undefined {
  if (patch === undefined) {
    checkData('data', data);
    return data && { replacesAll: true, texts: data, binary: NO_BYTES, remove: [] };
  }
  checkData('set', patch.set);
  const binary = decoded(patch.setBinary);
  if (!patch.remove.every(isValidKey)) throw invalidRequest(`remove: ${KEY_RULE}`);
  const named = requireNamedOnce(
    [patch.set.keys(), binary.keys(), patch.remove],
    'set, setBinary and remove',
  );
  if (named > 0) return { replacesAll: false, texts: patch.set, binary, remove: patch.remove };
  const { description, expiresAt, rotateEvery } = metadata;
  if ([description, expiresAt, rotateEvery].every((one) => one === undefined))
    throw invalidRequest('A patch must name a key, or have description, expiresAt or rotateEvery');
  return undefined;
}

/** Base64 as bytes. */
function decoded(base64: TextData = NO_DATA): SecretData {
  const bytes = new Map<string, Uint8Array>();
  for (const [key, text] of base64) {
    if (!isValidKey(key)) throw invalidRequest(`setBinary: ${KEY_RULE}`);
    const value = Buffer.from(text, 'base64');
    // Two texts of the same bytes would be two ways to write one value, and Buffer accepts anything.
    if (value.toString('base64') !== text) {
      throw invalidRequest('setBinary: values must be canonical base64 (RFC 4648, section 4)');
    }
    bytes.set(key, value);
  }
  return bytes;
}

/** How many keys are named, once none is named twice. */
function requireNamedOnce(keys: readonly Iterable<string>[], fields: string): number {
  const seen = new Set<string>();
  for (const key of keys.flatMap((some) => [...some])) {
    if (seen.has(key)) throw invalidRequest(`${fields} may name a key only once`);
    seen.add(key);
  }
  return seen.size;
}

function checkData(field: string, data: TextData = NO_DATA): void {
  for (const [key, value] of data) {
    if (!isValidKey(key)) throw invalidRequest(`${field}: ${KEY_RULE}`);
    const violation = textViolation(value);
    if (violation !== undefined) throw invalidRequest(`${field}: values ${violation}`);
  }
}

/**
 * Checks the entries of one list as a client sent them, and trims them. Internal whitespace, case,
 * order and duplicates stay as they are.
 * @throws {ServiceError} `invalidRequest`, naming the field and the rule, never an entry
 */
export function checkRuleList(field: RuleList, entries: readonly string[]): readonly string[] {
  if (entries.length > MAX_RULE_ENTRIES) {
    throw invalidRequest(`${field} must have at most ${MAX_RULE_ENTRIES} entries`);
  }
  for (const entry of entries) {
    const violation = entryViolation(entry);
    if (violation !== undefined) throw invalidRequest(`Each entry of ${field} ${violation}`);
  }
  return entries.map((entry) => entry.trim());
}

/** The lists that are given. */
function checkRules(given: RuleEdit): RuleEdit {
  const checked = RULE_LISTS.map((list) => [list, given[list] && checkRuleList(list, given[list])]);
  return Object.fromEntries(checked.filter(([, entries]) => entries !== undefined)) as RuleEdit;
}

/** @param violationOf what is wrong with a text, in words that follow the name of its field */
function requireValid(field: string, violationOf: (text: string) => string | undefined, text?: string): void {
  const violation = text === undefined ? undefined : violationOf(text);
  if (violation !== undefined) throw invalidRequest(`${field} ${violation}`);
}
