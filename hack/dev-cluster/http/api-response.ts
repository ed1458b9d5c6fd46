import { type ApiError } from '../api/status.ts';
import { type Json } from '../json/json.ts';

/** A whole answer, ready to be written. */
export interface ApiResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: string;
}

const JSON_TYPE = 'application/json';

export function jsonResponse(status: number, value: Json, headers: ApiResponse['headers'] = {}): ApiResponse {
  return rawResponse(status, JSON.stringify(value), headers);
}

/** An answer whose JSON is written already. */
export function rawResponse(status: number, body: string, headers: ApiResponse['headers'] = {}): ApiResponse {
  return { status, headers: { 'content-type': JSON_TYPE, ...headers }, body };
}

export function textResponse(status: number, body: string): ApiResponse {
  return { status, headers: { 'content-type': 'text/plain; charset=utf-8' }, body };
}

export function errorResponse(error: ApiError): ApiResponse {
  return jsonResponse(error.code, error.status, error.headers);
}
