import { DropdownItem, DropdownList } from '@patternfly/react-core';
import { Done, useDone } from '../../ui/done-note.tsx';
import { download } from '../../ui/download.ts';
import { ActionMenu } from '../../ui/action-menu.tsx';
import { base64Of } from '../../values/bytes.ts';
import { printCommand, secretKeyRef, variableOf } from '../../values/exports.ts';
import type { ReadValue } from './named-value.ts';

export interface LineMenuProps {
  readonly namespace: string;
  readonly secret: string;
  readonly name: string;
  readonly readValue: ReadValue;
}

/** What else can be done with a value. */
export function LineMenu({ namespace, secret, name, readValue }: LineMenuProps) {
  const { note, run, copy } = useDone();
  const copyAs = (source: Parameters<typeof copy>[0], what: string) => copy(source, `Copied as ${what}.`);
  const copyBase64 = () => copyAs(async () => base64Of(await readValue(name)), 'base64');
  const save = () =>
    run(async () => {
      download(name, await readValue(name));
      return `Downloaded ${name}.`;
    });
  return (
    <>
      <ActionMenu label={`More for ${name}`}>
        <DropdownList>
          <DropdownItem onClick={copyBase64}>Copy as base64</DropdownItem>
          <DropdownItem
            onClick={() => copyAs(`${secretKeyRef(variableOf(name), secret, name)}\n`, 'secretKeyRef')}
          >
            Copy secretKeyRef
          </DropdownItem>
          <DropdownItem
            onClick={() => copyAs(`${printCommand({ namespace, name: secret }, name)}\n`, 'kubectl command')}
          >
            Copy kubectl command
          </DropdownItem>
          <DropdownItem onClick={save}>Download</DropdownItem>
        </DropdownList>
      </ActionMenu>
      <Done note={note} />
    </>
  );
}
