import { entryViolation, MAX_RULE_ENTRIES } from '../contract/access-entry.ts';
import { RULE_LISTS, type RuleEdit, type RuleList } from '../contract/access-rules.ts';
import { ServiceError } from '../errors/service-error.ts';
import { isValidKey, KEY_RULE } from '../contract/keys.ts';
import { newNameViolation } from '../contract/names.ts';
import { storedType } from '../contract/secret-types.ts';
import { descriptionViolation, textViolation } from '../contract/text.ts';

/** Plain text values from a client, not yet checked. */
export type TextData = ReadonlyMap<string, string>;

const NO_DATA: TextData = new Map();

/** The body of a create request: checked types, unchecked values. */
export interface CreateRequest extends RuleEdit {
  readonly name: string;
  readonly type: string | undefined;
  readonly data: TextData | undefined;
  /** Merged over `data`. */
  readonly stringData: TextData | undefined;
  readonly description: string | undefined;
}

/** The body of an update request: checked types, unchecked values. Undefined keeps the stored value. */
export interface UpdateRequest extends RuleEdit {
  readonly resourceVersion: string;
  readonly data: TextData | undefined;
  readonly description: string | undefined;
  /** An admin has reviewed a snapshot collision. */
  readonly recoverCounter: boolean;
}

/** The body of a restore request. */
export interface RestoreRequest {
  readonly resourceVersion: string;
  readonly version: number;
  /** The archived revision, as it was listed. */
  readonly sourceResourceVersion: string | undefined;
  readonly recoverCounter: boolean;
}

export interface MetadataEdit extends RuleEdit {
  readonly description: string | undefined;
}

export interface NewSecret extends MetadataEdit {
  readonly name: string;
  readonly type: string;
  /** Merged. */
  readonly data: TextData;
}

export interface SecretEdit extends MetadataEdit {
  readonly data: TextData | undefined;
}

/** @throws {ServiceError} `invalidRequest`, naming the field and the rule */
export function checkCreate(request: CreateRequest): NewSecret {
  const nameViolation = newNameViolation(request.name);
  if (nameViolation !== undefined) throw invalid(`name ${nameViolation}`);
  requireText('type', request.type ?? '');
  checkData('data', request.data);
  checkData('stringData', request.stringData);
  return {
    name: request.name,
    type: storedType(request.type),
    data: merged(request.data, request.stringData),
    description: checkDescription(request.description),
    allowedGroups: [],
    allowedUsers: [],
    ...checkRules(request),
  };
}

/** @throws {ServiceError} `invalidRequest`, naming the field and the rule */
export function checkUpdate(request: UpdateRequest): SecretEdit {
  requireRevision(request.resourceVersion);
  checkData('data', request.data);
  return {
    data: request.data,
    description: checkDescription(request.description),
    ...checkRules(request),
  };
}

/** @throws {ServiceError} `invalidRequest` */
export function requireRevision(resourceVersion: string): void {
  if (resourceVersion.trim() === '') throw invalid('resourceVersion must not be blank');
  requireText('resourceVersion', resourceVersion);
}

/** @throws {ServiceError} `invalidRequest` */
export function requireSourceRevision(resourceVersion: string | undefined): void {
  if (resourceVersion !== undefined) requireText('sourceResourceVersion', resourceVersion);
}

function checkData(field: string, data: TextData = NO_DATA): void {
  for (const [key, value] of data) {
    if (!isValidKey(key)) throw invalid(`${field}: ${KEY_RULE}`);
    const violation = textViolation(value);
    if (violation !== undefined) throw invalid(`${field}: values ${violation}`);
  }
}

function merged(data: TextData = NO_DATA, stringData: TextData = NO_DATA): TextData {
  if (stringData.size === 0) return data;
  const both = new Map(data);
  for (const [key, value] of stringData) both.set(key, value);
  return both;
}

/**
 * Checks the entries of one list as a client sent them, and trims them. Internal whitespace, case,
 * order and duplicates stay as they are.
 * @throws {ServiceError} `invalidRequest`, naming the field and the rule, never an entry
 */
export function checkRuleList(field: RuleList, entries: readonly string[]): readonly string[] {
  if (entries.length > MAX_RULE_ENTRIES) {
    throw new ServiceError('invalidRequest', `${field} must have at most ${MAX_RULE_ENTRIES} entries`);
  }
  for (const entry of entries) {
    const violation = entryViolation(entry);
    if (violation !== undefined) {
      throw new ServiceError('invalidRequest', `Each entry of ${field} ${violation}`);
    }
  }
  return entries.map((entry) => entry.trim());
}

/** The lists that are given. */
function checkRules(given: RuleEdit): RuleEdit {
  const checked = RULE_LISTS.map((list) => [list, given[list] && checkRuleList(list, given[list])]);
  return Object.fromEntries(checked.filter(([, entries]) => entries !== undefined)) as RuleEdit;
}

function checkDescription(description: string | undefined): string | undefined {
  const violation = description && descriptionViolation(description);
  if (violation) throw invalid(`description ${violation}`);
  return description;
}

function requireText(field: string, value: string): void {
  const violation = textViolation(value);
  if (violation !== undefined) throw invalid(`${field} ${violation}`);
}

function invalid(message: string): ServiceError {
  return new ServiceError('invalidRequest', message);
}
