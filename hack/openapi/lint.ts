import { createConfig, lintFromString } from '@redocly/openapi-core';

/** One problem, as `<rule> at <where>: <what>`. */
export type Problem = string;

/** On top of the recommended ones. */
const RULES = {
  'info-contact': 'error',
  'operation-description': 'error',
  'operation-tag-defined': 'error',
  'rule/info-description': {
    subject: { type: 'Info', property: 'description' },
    assertions: { defined: true },
  },
  'rule/operation-tags': { subject: { type: 'Operation', property: 'tags' }, assertions: { minLength: 1 } },
} as const;

/** What Redocly's rules find in an OpenAPI document, warnings included. */
export async function openApiProblems(document: object): Promise<readonly Problem[]> {
  const config = await createConfig({ extends: ['recommended'], rules: RULES });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer ?? '#'}: ${message}`,
  );
}
