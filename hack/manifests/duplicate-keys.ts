import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

/** What is wrong with YAML files by themselves, such as a key that occurs twice: tools keep one of them, without a word. */
export function yamlProblems(files: readonly string[]): readonly string[] {
  return files.flatMap((file) =>
    parseAllDocuments(readFileSync(file, 'utf8')).flatMap(({ errors }) =>
      errors.map(({ message }) => `${file}: ${message.split('\n')[0] ?? ''}`),
    ),
  );
}
