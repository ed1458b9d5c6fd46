import { describe, expect, it } from 'vitest';
import { apiDocument } from '../../../hack/openapi/document.ts';
import { redoclyProblems, spectralProblems } from '../../../hack/openapi/lint.ts';

const NAMES = (problems: readonly string[]) => problems.map((problem) => problem.split(' ')[0]);

describe('the linters of the OpenAPI document', () => {
  it('find nothing in it', async () => {
    const document = apiDocument();
    expect(await redoclyProblems(document)).toEqual([]);
    expect(await spectralProblems(document)).toEqual([]);
  });

  it('find what a document lacks', async () => {
    const { servers: _, ...document } = apiDocument() as { readonly servers?: unknown };
    expect(NAMES(await redoclyProblems(document))).toEqual(['no-empty-servers']);
    expect(NAMES(await spectralProblems(document))).toEqual(['oas3-api-servers']);
  });

  it('hold examples to their schemas', async () => {
    const text = JSON.stringify(apiDocument());
    const body = text.replaceAll('"resourceVersion":"4711"', '"resourceVersion":4711');
    expect(NAMES(await spectralProblems(JSON.parse(body) as object))).toContain('oas3-valid-media-example');
    const field = text.replaceAll('"examples":[200]', '"examples":["two hundred"]');
    expect(NAMES(await redoclyProblems(JSON.parse(field) as object))).toContain('no-invalid-schema-examples');
  });
});
