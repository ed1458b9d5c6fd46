import {
  Button,
  SearchInput,
  Toolbar,
  ToolbarContent,
  ToolbarGroup,
  ToolbarItem,
} from '@patternfly/react-core';
import { Undrawn, useDrawn } from '../../ui/undrawn.tsx';
import { useAddressFilter } from '../../ui/use-address-filter.ts';
import { ExportMenu } from './export-menu.tsx';
import type { ShownSecret } from './named-value.ts';
import { ValueLine } from './value-line.tsx';
import { useReveal } from '../../ui/use-reveal.ts';

/** Fewer are found without a filter. */
const FILTERED_FROM = 6;
const FILTER = 'keys';
/** The height of a line, as the style sheet has it. */
const LINE_REM = 2.5;
const itself = (key: string): string => key;

export interface ValuesPanelProps {
  readonly secret: ShownSecret;
  /** Keys whose values are shown at once, and how one becomes such a key; left out: none can. */
  readonly plain?: { readonly keys: ReadonlySet<string>; readonly toggle: (key: string) => void };
}

/** The keys of a Secret, a line for each, and what can be done with all of them. */
export function ValuesPanel({ secret, plain }: ValuesPanelProps) {
  const [filter, setFilter] = useAddressFilter(FILTER);
  const revealAll = useReveal();
  const { keys } = secret;
  const visible = keys.filter((key) => key.toLowerCase().includes(filter.toLowerCase()));
  const { drawn, undrawn, rest } = useDrawn(visible, itself);
  if (keys.length === 0) return <p className="absent">This Secret has no keys.</p>;
  return (
    <>
      <ValuesToolbar {...{ secret, filter, setFilter, revealAll }} />
      <p role="status" className={visible.length === 0 ? 'absent' : 'pf-v6-screen-reader'}>
        {visible.length === 0
          ? 'No key matches.'
          : filter === ''
            ? ''
            : `${visible.length} of ${keys.length}`}
      </p>
      <ul className="values" aria-label="Values">
        {drawn.map((key) => (
          <ValueLine
            key={key}
            secret={secret}
            name={key}
            isShown={revealAll.shown}
            isPlain={plain?.keys.has(key) === true}
            onPlain={plain?.toggle}
          />
        ))}
        <Undrawn place={rest} count={undrawn} rem={LINE_REM} />
      </ul>
    </>
  );
}

interface ValuesToolbarProps {
  readonly secret: ShownSecret;
  readonly filter: string;
  readonly setFilter: (text: string) => void;
  readonly revealAll: ReturnType<typeof useReveal>;
}

function ValuesToolbar({ secret, filter, setFilter, revealAll }: ValuesToolbarProps) {
  return (
    <Toolbar inset={{ default: 'insetNone' }} className="values-toolbar">
      <ToolbarContent>
        {(secret.keys.length >= FILTERED_FROM || filter !== '') && (
          <ToolbarItem className="values-filter">
            <SearchInput
              aria-label="Filter keys"
              placeholder="Filter keys"
              value={filter}
              onChange={(_event, text) => setFilter(text)}
              onClear={() => setFilter('')}
            />
          </ToolbarItem>
        )}
        <ToolbarGroup variant="action-group-plain" align={{ default: 'alignEnd' }} className="actions">
          <ToolbarItem>
            <Button variant="link" onClick={revealAll.toggle}>
              {revealAll.shown ? 'Hide all' : 'Reveal all'}
            </Button>
          </ToolbarItem>
          <ToolbarItem>
            <ExportMenu secret={secret} />
          </ToolbarItem>
        </ToolbarGroup>
      </ToolbarContent>
    </Toolbar>
  );
}
