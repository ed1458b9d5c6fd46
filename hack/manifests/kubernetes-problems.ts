import type { Manifest } from './rendered.ts';
import type { FieldSchema, KubernetesSchemas } from './kubernetes-schemas.ts';

/**
 * Holds an object to the schemas of its kind in every version of Kubernetes. Unknown fields are problems: the API server drops
 * them, or refuses them in strict validation.
 * @returns what is wrong and since when, in words; undefined for a kind that is not Kubernetes' own
 */
export function kubernetesProblems(
  schemas: KubernetesSchemas,
  manifest: Manifest,
): readonly string[] | undefined {
  const model = schemas.kinds[`${manifest.apiVersion} ${manifest.kind}`];
  if (model === undefined) return undefined;
  const versionsOf = new Map<string, string[]>();
  for (const version of schemas.versions) {
    for (const problem of problemsIn(new Walk(schemas, version), manifest, model, '')) {
      versionsOf.set(problem, [...(versionsOf.get(problem) ?? []), version]);
    }
  }
  const of = `${manifest.kind} ${manifest.metadata.name}`;
  return [...versionsOf].map(([problem, versions]) => `${of}: ${problem} (${versions.join(', ')})`);
}

/** The schemas as they are in one version. */
class Walk {
  readonly #schemas: KubernetesSchemas;
  readonly #index: number;

  constructor(schemas: KubernetesSchemas, version: string) {
    this.#schemas = schemas;
    this.#index = schemas.versions.indexOf(version);
  }

  fieldsOf(model: string): ReadonlyMap<string, FieldSchema> {
    const fields = Object.entries(this.#schemas.models[model] ?? {});
    return new Map(
      fields.flatMap(([field, variants]) => {
        const schema = variants.find((variant) => this.#isIn(variant));
        return schema === undefined ? [] : [[field, schema] as const];
      }),
    );
  }

  #isIn({ since, until }: FieldSchema): boolean {
    const { versions } = this.#schemas;
    const [from, to] = [since ?? versions[0] ?? '', until ?? versions.at(-1) ?? ''].map((one) =>
      versions.indexOf(one),
    );
    return from !== undefined && to !== undefined && from <= this.#index && this.#index <= to;
  }
}

function problemsIn(walk: Walk, value: unknown, type: string, at: string): readonly string[] {
  if (type === 'any') return [];
  const inner = type.slice(2);
  if (type.startsWith('[]')) {
    if (!Array.isArray(value)) return [`${at} must be a list`];
    return value.flatMap((item, index) => problemsIn(walk, item, inner, `${at}[${index}]`));
  }
  if (type === 'IntOrString')
    return isInteger(value) || typeof value === 'string' ? [] : [`${at} must be an integer or a string`];
  if (type === 'number') return isInteger(value) ? [] : [`${at} must be an integer`];
  if (type === 'string' || type === 'boolean')
    return typeof value === type ? [] : [`${at} must be a ${type}`];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [`${at} must be an object`];
  if (type.startsWith('{}')) {
    return Object.entries(value).flatMap(([key, item]) => problemsIn(walk, item, inner, `${at}[${key}]`));
  }
  return problemsInModel(walk, value, type, at);
}

function problemsInModel(walk: Walk, value: object, model: string, at: string): readonly string[] {
  const fields = walk.fieldsOf(model);
  const place = (field: string): string => (at === '' ? field : `${at}.${field}`);
  const missing = [...fields]
    .filter(([field, { required }]) => required === true && !Object.hasOwn(value, field))
    .map(([field]) => `${place(field)} is required`);
  const present = Object.entries(value).flatMap(([field, item]) => {
    const schema = fields.get(field);
    return schema === undefined
      ? [`${place(field)} is unknown`]
      : problemsIn(walk, item, schema.type, place(field));
  });
  return [...missing, ...present];
}

/** No field of the rendered kinds is a fraction. */
function isInteger(value: unknown): boolean {
  return Number.isSafeInteger(value);
}
