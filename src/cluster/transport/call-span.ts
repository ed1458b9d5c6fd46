import type { CallRecord } from './call-record.ts';
import { METHODS, type ClusterRequest } from './request.ts';

/** The span of one attempt. */
export interface CallSpan {
  /** The value of the `traceparent` header. */
  readonly traceparent: string;
  end(record: CallRecord): void;
}

/** What is known of an attempt before it is made. */
export interface CallStart {
  readonly method: string;
  /** The path, with placeholders for names. */
  readonly template: string;
  readonly namespace: string | undefined;
  /** The base URL of the cluster. */
  readonly server: string;
  /** Counts from 1. */
  readonly attempt: number;
}

/** Starts the span of an attempt; undefined where nothing is traced. */
export type StartCallSpan = (call: CallStart) => CallSpan | undefined;

export function callStartOf(
  { verb, resource, namespace, name }: ClusterRequest,
  server: string,
  attempt: number,
): CallStart {
  const inNamespace = namespace === undefined ? '' : '/namespaces/{namespace}';
  const ofObject = name === undefined ? '' : '/{name}';
  const template = `${resource.api}${inNamespace}/${resource.plural}${ofObject}`;
  return { method: METHODS[verb], template, namespace, server, attempt };
}
