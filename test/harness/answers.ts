import { expect } from 'vitest';
import type { ApiAnswer } from './api-client.ts';

/** A Secret as the API shows it; the two maps are only in details. */
export interface SecretJson {
  readonly namespace: string;
  readonly name: string;
  readonly type: string;
  readonly keys: readonly string[];
  readonly keyCount: number;
  readonly description: string;
  readonly version: number;
  readonly resourceVersion: string;
  readonly creationTimestamp: string;
  readonly allowedGroups: readonly string[];
  readonly allowedUsers: readonly string[];
  readonly managedByService: boolean;
  readonly immutable: boolean;
  readonly binaryKeys: readonly string[];
  readonly deletionTimestamp?: string;
  readonly lastModifiedBy?: string;
  readonly lastModifiedAt?: string;
  readonly data: Readonly<Record<string, string>>;
  readonly binaryData: Readonly<Record<string, string>>;
}

export interface VersionJson {
  readonly version: number;
  readonly resourceVersion: string;
  readonly createdAt: string;
  readonly lastModifiedBy?: string;
  readonly type: string;
  readonly keys: readonly string[];
  readonly keyCount: number;
  readonly binaryKeys: readonly string[];
  readonly data: Readonly<Record<string, string>>;
  readonly binaryData: Readonly<Record<string, string>>;
}

export interface ListJson {
  readonly namespace: string;
  readonly secrets: readonly SecretJson[];
  readonly canCreate: boolean;
}

export interface VersionListJson {
  readonly name: string;
  readonly uid: string;
  readonly version: number;
  readonly versions: readonly VersionJson[];
}

/** The JSON of an answer with this status; an answer with another status fails the test with its error. */
export function jsonOf(answer: ApiAnswer, status: number): unknown {
  expect(answer.status, answer.status >= 400 ? answer.text : undefined).toBe(status);
  return answer.json;
}

export function secretOf(answer: ApiAnswer, status = 200): SecretJson {
  return (jsonOf(answer, status) as { secret: SecretJson }).secret;
}

export function listOf(answer: ApiAnswer): ListJson {
  return jsonOf(answer, 200) as ListJson;
}

export function versionsOf(answer: ApiAnswer): VersionListJson {
  return jsonOf(answer, 200) as VersionListJson;
}

export function versionOf(answer: ApiAnswer): VersionJson {
  return (jsonOf(answer, 200) as { version: VersionJson }).version;
}

/** The text of an error answer with this status, once its form `{error: text}` is checked. */
export function errorOf(answer: ApiAnswer, status: number): string {
  expect(answer.status, answer.text).toBe(status);
  expect(Object.keys(answer.json as object)).toEqual(['error']);
  const { error } = answer.json as { error: unknown };
  expect(error).toEqual(expect.any(String));
  return String(error);
}
