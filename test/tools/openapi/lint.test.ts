import { describe, expect, it } from 'vitest';
import { apiDocument } from '../../../hack/openapi/document.ts';
import { openApiProblems } from '../../../hack/openapi/lint.ts';

interface Operation {
  description?: string;
  tags?: string[];
}

interface Document {
  readonly info: { description?: string; contact?: object };
  servers?: object;
  readonly paths: Readonly<Record<string, { readonly get: Operation }>>;
}

/** The rules that find something. */
const rulesAgainst = async (document: unknown) =>
  (await openApiProblems(document as object)).map((problem) => problem.split(' ')[0]);
const operation = ({ paths }: Document): Operation => paths['/api/namespaces']?.get ?? {};

describe('the linter of the OpenAPI document', () => {
  it('finds nothing in it', async () => {
    expect(await openApiProblems(apiDocument())).toEqual([]);
  });

  it.each<[lack: string, rule: string, change: (one: Document) => void]>([
    ['servers', 'no-empty-servers', (one) => delete one.servers],
    ['a description', 'rule/info-description', ({ info }) => delete info.description],
    ['a contact', 'info-contact', ({ info }) => delete info.contact],
    ['what an operation does', 'operation-description', (one) => delete operation(one).description],
    ['tags of an operation', 'operation-tag-defined', (one) => delete operation(one).tags],
    ['any tag of an operation', 'rule/operation-tags', (one) => (operation(one).tags = [])],
    ['the tag of an operation', 'operation-tag-defined', (one) => (operation(one).tags = ['none'])],
  ])('finds that a document lacks %s', async (_lack, rule, change) => {
    const document = apiDocument() as Document;
    change(document);
    expect(await rulesAgainst(document)).toEqual([rule]);
  });

  it('holds examples to their schemas', async () => {
    const text = JSON.stringify(apiDocument());
    const body = text.replaceAll('"resourceVersion":"4711"', '"resourceVersion":4711');
    expect(await rulesAgainst(JSON.parse(body))).toContain('no-invalid-media-type-examples');
    const field = text.replaceAll('"examples":[200]', '"examples":["two hundred"]');
    expect(await rulesAgainst(JSON.parse(field))).toContain('no-invalid-schema-examples');
  });
});
