/** The shell commands of a document's sections, by the title: each with its continued lines, loops and here-documents whole. */
export function commandsBySection(document: string): ReadonlyMap<string, readonly string[]> {
  const sections = new Map<string, string[]>();
  for (const part of document.split(/^#{2,6} /m).slice(1)) {
    const title = part.slice(0, part.indexOf('\n')).trim();
    const blocks = [...part.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1] ?? '');
    if (blocks.length > 0) sections.set(title, blocks.flatMap(commandsOf));
  }
  return sections;
}

/** A command ends where the next begins at the margin, but for what closes it. */
function commandsOf(block: string): readonly string[] {
  const commands: string[] = [];
  let isContinued = false;
  for (const line of block.split('\n').filter((text) => text !== '' && !text.startsWith('#'))) {
    if (isContinued || /^(\s|done\b|fi\b|EOF\b)/.test(line))
      commands.push(`${commands.pop() ?? ''}\n${line}`);
    else commands.push(line);
    isContinued = line.endsWith('\\');
  }
  return commands;
}
