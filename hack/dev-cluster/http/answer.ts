import { type ApiError } from '../api/status.ts';
import { type Json } from '../json/json.ts';

/** A whole answer, ready to be written. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

const JSON_TYPE = 'application/json';

export function jsonAnswer(status: number, value: Json, headers: Answer['headers'] = {}): Answer {
  return rawAnswer(status, JSON.stringify(value), headers);
}

/** An answer whose JSON is written already. */
export function rawAnswer(status: number, body: string, headers: Answer['headers'] = {}): Answer {
  return { status, headers: { 'content-type': JSON_TYPE, ...headers }, body };
}

export function textAnswer(status: number, body: string): Answer {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

export function errorAnswer(error: ApiError): Answer {
  return jsonAnswer(error.code, error.status, error.headers);
}
