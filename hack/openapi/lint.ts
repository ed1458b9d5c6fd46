import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';

/** One problem, as `<rule> at <where>: <what>`. */
export type Problem = string;

/** What Redocly's recommended rules find in an OpenAPI document, warnings included. */
export async function redoclyProblems(document: object): Promise<readonly Problem[]> {
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map(
    ({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer ?? '#'}: ${message}`,
  );
}

/** What Spectral's recommended rules for OpenAPI find, hints included. */
export async function spectralProblems(document: object): Promise<readonly Problem[]> {
  const linter = new spectral.Spectral();
  linter.setRuleset({ extends: [[rulesets.oas as RulesetDefinition, 'recommended']] });
  const results = await linter.run(JSON.stringify(document));
  return results.map(({ code, path, message }) => `${code} at #/${path.join('/')}: ${message}`);
}
