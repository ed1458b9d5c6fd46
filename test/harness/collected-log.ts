/** What services have logged so far, as text and as lines, each of which is parsed once. */
export interface CollectedLog {
  write(text: string): void;
  text(): string;
  /** Without what is no line of the log, such as a warning of Node.js. */
  lines(): readonly Record<string, unknown>[];
}

export function collectLog(): CollectedLog {
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
        if (line.startsWith('{') && line.endsWith('}'))
          lines.push(JSON.parse(line) as Record<string, unknown>);
      parsed = end;
      return [...lines];
    },
  };
}
