import type { Step, Value } from './scenario.ts';

/** A request of a sample, with what the OpenAPI document says about it. */
export interface SampleRequest extends Step {
  readonly method: string;
  /** The parts of the path, in order. */
  readonly segments: readonly Value[];
  readonly parameters: readonly (readonly [string, Value])[];
  readonly fields: readonly (readonly [string, Value | object])[] | undefined;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly in: string;
    readonly name: string;
    readonly required?: boolean;
  }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: object } } };
  readonly responses: Readonly<Record<string, unknown>>;
}

export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

/**
 * Looks a step up in the document.
 * @throws for an operation, a parameter, a field or a status that the document does not have
 */
export function requestOf(document: ApiDocument, step: Step): SampleRequest {
  const { path, method, operation } = find(document, step.operationId);
  const fail = (problem: string): never => {
    throw new Error(`${step.operationId}: ${problem}`);
  };
  if (!Object.hasOwn(operation.responses, String(step.status))) fail(`there is no response ${step.status}`);
  const given = { path: step.path ?? {}, query: step.query ?? {} };
  for (const kind of ['path', 'query'] as const) {
    const known = (operation.parameters ?? []).filter((parameter) => parameter.in === kind);
    for (const { name, required } of known) {
      if (required === true && !Object.hasOwn(given[kind], name)) fail(`the parameter ${name} is missing`);
    }
    for (const name of Object.keys(given[kind])) {
      if (!known.some((parameter) => parameter.name === name)) fail(`there is no parameter ${name}`);
    }
  }
  const example = operation.requestBody?.content['application/json'].example;
  for (const field of Object.keys(step.body ?? {})) {
    if (example === undefined || !Object.hasOwn(example, field)) fail(`the example has no field ${field}`);
  }
  const fields = Object.entries({ ...example, ...step.body }).filter(([, value]) => value !== undefined);
  return {
    ...step,
    method: method.toUpperCase(),
    segments: path
      .split('/')
      .slice(1)
      .map((segment) => valueOf(segment, given.path)),
    parameters: Object.entries(given.query),
    fields: example === undefined ? undefined : (fields as [string, Value | object][]),
  };
}

function valueOf(segment: string, values: Readonly<Record<string, Value>>): Value {
  const name = segment.startsWith('{') ? segment.slice(1, -1) : undefined;
  return name === undefined ? segment : (values[name] ?? segment);
}

function find({ paths }: ApiDocument, operationId: string) {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (operation.operationId === operationId) return { path, method, operation };
    }
  }
  throw new Error(`The document has no operation ${operationId}`);
}

export const isVariable = (value: unknown): value is { readonly variable: string } =>
  typeof value === 'object' && value !== null && 'variable' in value;
