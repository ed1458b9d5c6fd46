import { Button, SearchInput } from '@patternfly/react-core';
import { useSearchParams } from 'react-router';
import { Undrawn } from '../../ui/undrawn.tsx';
import { useDrawn } from '../../ui/use-drawn.ts';
import { VALUE_WORDS } from '../../words/secret.ts';
import { ExportMenu } from './export-menu.tsx';
import { useRevealAll } from './use-reveal-all.ts';
import type { ShownSecret } from './named-value.ts';
import { ValueLine } from './value-line.tsx';
import { VALUES_PANEL_WORDS } from '../../words/detail.ts';

/** Fewer are found without a filter. */
const FILTERED_FROM = 6;
const FILTER = 'keys';
/** The height of a line, as the style sheet has it. */
const LINE_REM = 2.5;
const itself = (key: string): string => key;

/** The keys of a Secret, a line for each, and what can be done with all of them. */
export function ValuesPanel({ secret }: { readonly secret: ShownSecret }) {
  const [search, setSearch] = useSearchParams();
  const revealAll = useRevealAll();
  const filter = search.get(FILTER) ?? '';
  const keys = [...secret.text.keys(), ...secret.binary.keys()];
  const visible = keys.filter((key) => key.toLowerCase().includes(filter.toLowerCase()));
  const { drawn, undrawn, rest } = useDrawn(visible, itself);
  const setFilter = (text: string) => {
    // What is typed is in the address, and not every step of it in the browser's history.
    const change = (before: URLSearchParams) => {
      before.delete(FILTER);
      if (text !== '') before.set(FILTER, text);
      return before;
    };
    setSearch(change, { replace: true, preventScrollReset: true });
  };
  if (keys.length === 0) return <p className="absent">{VALUE_WORDS.none}</p>;
  return (
    <>
      <div className="values-toolbar">
        {(keys.length >= FILTERED_FROM || filter !== '') && (
          <SearchInput
            className="values-filter"
            aria-label={VALUE_WORDS.filter}
            placeholder={VALUE_WORDS.filter}
            value={filter}
            onChange={(_event, text) => setFilter(text)}
            onClear={() => setFilter('')}
          />
        )}
        <span className="values-tools">
          <Button variant="link" onClick={revealAll.toggle}>
            {revealAll.shown ? VALUE_WORDS.hideAll : VALUE_WORDS.revealAll}
          </Button>
          <ExportMenu secret={secret} />
        </span>
      </div>
      <p role="status" className={visible.length === 0 ? 'absent' : 'pf-v6-screen-reader'}>
        {visible.length === 0
          ? VALUE_WORDS.noMatch
          : filter === ''
            ? ''
            : VALUES_PANEL_WORDS.of(visible.length, keys.length)}
      </p>
      <ul className="values" aria-label={VALUE_WORDS.list}>
        {drawn.map((key) => (
          <ValueLine
            key={key}
            secret={secret}
            name={key}
            isShown={revealAll.shows(key)}
            onHide={revealAll.hide}
          />
        ))}
        <Undrawn place={rest} count={undrawn} rem={LINE_REM} />
      </ul>
    </>
  );
}
