import type * as z from 'zod';
import { expect } from 'vitest';
import type { Wire } from '../../src/api/runner/request-body.ts';
import type { detailResponse, versionResponse } from '../../src/api/routes/response-schemas.ts';
import type { ApiAnswer } from './api-client.ts';

/** A Secret as the API shows it; the two maps are only in details. */
export type SecretJson = Wire<z.output<typeof detailResponse>>['secret'];

export type VersionJson = Wire<z.output<typeof versionResponse>>['version'];

export interface ListJson {
  readonly namespace: string;
  readonly secrets: readonly SecretJson[];
  readonly canCreate: boolean;
  /** Of a page that is not the last. */
  readonly continue?: string | undefined;
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
