/** What services have logged so far, as text and as lines, each of which is parsed once. */
export interface CollectedLog {
  write(text: string): void;
  text(): string;
  lines(): readonly Record<string, unknown>[];
}

/** @param isLine what is parsed: on the output of a process there are warnings of Node.js, too */
export function collectLog(isLine = (line: string) => line !== ''): CollectedLog {
  const lines: Record<string, unknown>[] = [];
  let log = '';
  let parsed = 0;
  return {
    write(text) {
      log += text;
    },
    text: () => log,
    lines() {
      const end = log.lastIndexOf('\n') + 1;
      for (const line of log.slice(parsed, end).split('\n'))
        if (isLine(line)) lines.push(JSON.parse(line) as Record<string, unknown>);
      parsed = end;
      return [...lines];
    },
  };
}
