/** A link of a document, as it is written. */
export interface Link {
  readonly text: string;
  readonly target: string;
}

/** The text of a document without what is quoted: code blocks and code in lines hold no links. */
export function withoutCode(document: string): string {
  return document.replace(/^ *(```+)[\s\S]*?^ *\1$/gm, '').replace(/`[^`\n]*`/g, '');
}

/** The links and pictures of a Markdown document. */
export function linksOf(document: string): readonly Link[] {
  return [
    ...document
      .replace(/^ *(```+)[\s\S]*?^ *\1$/gm, '')
      .matchAll(/\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)/g),
  ].map(([, text = '', target = '']) => ({ text, target }));
}

/** The anchors of a document's headings, made as GitHub makes them. */
export function anchorsOf(document: string): ReadonlySet<string> {
  const anchors = new Set<string>();
  const text = document.replace(/^ *(```+)[\s\S]*?^ *\1$/gm, '');
  for (const [, heading = ''] of text.matchAll(/^#{1,6} +(.+?) *$/gm)) {
    const plain = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const anchor = plain
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-');
    let unique = anchor;
    for (let again = 1; anchors.has(unique); again++) unique = `${anchor}-${again}`;
    anchors.add(unique);
  }
  return anchors;
}
