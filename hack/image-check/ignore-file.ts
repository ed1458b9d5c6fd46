/** Whether a path, relative to the project, is sent to the builder. */
export type IsSent = (path: string) => boolean;

/**
 * Reads a .dockerignore of the simple kind that ours is: `*`, and paths with or without `!`. The last pattern that
 * matches a path or a folder above it decides.
 * @throws for patterns of any other kind
 */
export function parseIgnoreFile(text: string): IsSent {
  const patterns = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ sends: line.startsWith('!'), pattern: line.replace(/^!/, '') }));
  for (const { pattern } of patterns) {
    if (pattern !== '*' && /[*?[\]\\]/.test(pattern))
      throw new Error(`.dockerignore: ${pattern} is not known`);
  }
  return (path) =>
    patterns.reduce(
      (sent, { sends, pattern }) =>
        pattern === '*' || path === pattern || path.startsWith(`${pattern}/`) ? sends : sent,
      true,
    );
}
