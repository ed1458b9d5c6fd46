import path from 'node:path';
import type { Language } from './language.ts';
import { python } from './python.ts';
import { requestOf, type ApiDocument } from './requests.ts';
import { SECTIONS } from './scenario.ts';
import { shell } from './shell.ts';
import { typescript } from './typescript.ts';

export const PAGE = path.resolve(import.meta.dirname, '../../docs/api-clients.md');

export const LANGUAGES: readonly Language[] = [shell, typescript, python];

const INTRODUCTION = `# API clients

The same steps with curl, in TypeScript and in Python. \`npm run api-clients\` writes this page from the
OpenAPI document, and a test runs each language from the first sample to the last.

A client has the session of a person: the \`service_session\` cookie of [sign-in](sign-in.md), for at most 8 hours. \`COOKIE\` is the value
of the \`Cookie\` header; with \`make run\`, \`hack/sign-in\` prints one. [api.md](api.md) has every field and status.
`;

/** The samples of each language, the setup first. */
export function samplesOf(document: ApiDocument, language: Language): readonly string[] {
  const kept = new Set<string>();
  const samples = SECTIONS.map(({ steps }) =>
    steps
      .map((step) => {
        const [variable] = step.keep ?? [];
        const isFirst = variable !== undefined && !kept.has(variable);
        if (variable !== undefined) kept.add(variable);
        return language.render(requestOf(document, step), isFirst);
      })
      .join('\n\n'),
  );
  // The variable of every response in TypeScript.
  const setup = language.fence === 'ts' ? `${language.setup}\n\nlet response;` : language.setup;
  return [setup, ...samples];
}

/** The text of the page, before it is formatted. */
export function pageText(document: ApiDocument): string {
  const samples = LANGUAGES.map((language) => ({ language, code: samplesOf(document, language) }));
  const blocks = (index: number): string =>
    samples
      .map(
        ({ language, code }) => `${language.name}:\n\n\`\`\`${language.fence}\n${code[index] ?? ''}\n\`\`\``,
      )
      .join('\n\n');
  const sections = SECTIONS.map(({ title, text }, index) => `## ${title}\n\n${text}\n\n${blocks(index + 1)}`);
  return [INTRODUCTION, `## Setup\n\n${blocks(0)}`, ...sections].join('\n\n');
}
