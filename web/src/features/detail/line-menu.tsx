import { DropdownItem, DropdownList } from '@patternfly/react-core';
import { Done, useDone } from '../../ui/done-note.tsx';
import { download } from '../../ui/download.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { base64Of } from '../../values/bytes.ts';
import { printCommand, secretKeyRef, variableOf } from '../../values/exports.ts';
import type { ShownSecret } from './named-value.ts';

export interface LineMenuProps {
  readonly secret: ShownSecret;
  readonly name: string;
  /** Whether it is always shown in this browser. It stays, except without a session. */
  readonly isPlain: boolean;
  readonly onPlain: ((key: string) => void) | undefined;
}

/** What else can be done with a value. */
export function LineMenu({ secret, name, isPlain, onPlain }: LineMenuProps) {
  const { note, run, copy } = useDone();
  const copyAs = (source: Parameters<typeof copy>[0], what: string) => copy(source, `Copied as ${what}.`);
  const copyBase64 = () => copyAs(async () => base64Of(await secret.readValue(name)), 'base64');
  const save = () =>
    run(async () => {
      download(name, await secret.readValue(name));
      return `Downloaded ${name}.`;
    });
  return (
    <>
      <ActionMenu label={`More for ${name}`}>
        <DropdownList>
          <DropdownItem onClick={copyBase64}>Copy as base64</DropdownItem>
          <DropdownItem
            onClick={() => copyAs(`${secretKeyRef(variableOf(name), secret.name, name)}\n`, 'secretKeyRef')}
          >
            Copy secretKeyRef
          </DropdownItem>
          <DropdownItem onClick={() => copyAs(`${printCommand(secret, name)}\n`, 'kubectl command')}>
            Copy kubectl command
          </DropdownItem>
          <DropdownItem onClick={save}>Download</DropdownItem>
          {onPlain !== undefined && (
            <DropdownItem onClick={() => onPlain(name)}>
              {isPlain ? 'Mask again' : 'Show always'}
            </DropdownItem>
          )}
        </DropdownList>
      </ActionMenu>
      <Done note={note} />
    </>
  );
}
