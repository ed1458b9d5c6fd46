/** A line of an env file that is no variable; the message has the line's number, not its text. */
export class EnvFileError extends Error {
  override readonly name = 'EnvFileError';
}

/**
 * Reads an env file as kustomize's configMapGenerator does: everything behind the first `=` is the value. There are no
 * quotes, no escapes and no comments behind values. A name without `=`, which kustomize would look up in the environment
 * of whoever renders, is refused.
 */
export function parseEnvFile(text: string): ReadonlyMap<string, string> {
  const variables = new Map<string, string>();
  for (const [index, whole] of text.split(/\r?\n/).entries()) {
    const line = whole.trimStart();
    if (line === '' || line.startsWith('#')) continue;
    const name = /^[A-Za-z_][A-Za-z0-9_]*(?==)/.exec(line)?.[0];
    if (name === undefined) throw new EnvFileError(`line ${index + 1} is neither a variable nor a comment`);
    if (variables.has(name)) throw new EnvFileError(`line ${index + 1} sets a variable again`);
    variables.set(name, line.slice(name.length + 1));
  }
  return variables;
}
