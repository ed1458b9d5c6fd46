import { DropdownGroup, DropdownItem, DropdownList } from '@patternfly/react-core';
import { Done, useDone } from '../../ui/done-note.tsx';
import { download } from '../../ui/download.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { copyText } from '../../ui/copy-text.ts';
import { EXPORTS, exportSecret, type ExportedText, type ExportFormat } from '../../values/exports.ts';
import type { ShownSecret } from './named-value.ts';

const FORMATS = Object.keys(EXPORTS) as ExportFormat[];

/** The values are here for no longer than it takes to make the text. */
async function readExport(secret: ShownSecret, format: ExportFormat): Promise<ExportedText> {
  // References hold names alone.
  const names = { text: new Map(secret.keys.map((key) => [key, ''])), binary: new Map<string, string>() };
  const { text, binary } = format === 'secretKeyRef' ? names : await secret.readAll();
  return exportSecret({ ...secret, text, binary }, format);
}

/** The whole Secret as a text for other tools, on the clipboard or as a file. */
export function ExportMenu({ secret }: { readonly secret: ShownSecret }) {
  const { note, run } = useDone();
  const copyAs = (format: ExportFormat) =>
    run(async () => {
      const exported = readExport(secret, format);
      await copyText(async () => (await exported).text);
      return `Copied as ${EXPORTS[format].label}.${omitted((await exported).leftOut)}`;
    });
  const save = (format: ExportFormat) =>
    run(async () => {
      const { text, fileName, leftOut } = await readExport(secret, format);
      download(fileName, text);
      return `Downloaded ${fileName}.${omitted(leftOut)}`;
    });
  return (
    <>
      <Done note={note} />
      <ActionMenu text="Copy as" isScrollable>
        {Object.entries({ Copy: copyAs, Download: save }).map(([label, choose]) => (
          <DropdownGroup key={label} label={label}>
            <DropdownList>
              {FORMATS.map((format) => (
                <DropdownItem
                  key={format}
                  aria-label={`${label} ${EXPORTS[format].label}`}
                  onClick={() => choose(format)}
                >
                  {EXPORTS[format].label}
                </DropdownItem>
              ))}
            </DropdownList>
          </DropdownGroup>
        ))}
      </ActionMenu>
    </>
  );
}

function omitted(keys: readonly string[]): string {
  return keys.length === 0 ? '' : ` Left out, since they are binary: ${keys.join(', ')}.`;
}
