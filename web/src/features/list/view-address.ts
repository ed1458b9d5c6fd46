import { ACCESSES, COLUMNS, EXPIRIES, WHOLE_LIST, WRITERS, type View } from './list-view.ts';

/** The view that an address names; whatever it does not name, or names wrongly, is as in the whole list. */
export function viewFrom(search: string): View {
  const query = new URLSearchParams(search);
  const chosen = <Choice extends string>(name: string, choices: readonly Choice[], otherwise: Choice) =>
    choices.find((one) => one === query.get(name)) ?? otherwise;
  const order = query.get('sort') ?? '';
  const descending = order.startsWith('-');
  return {
    text: query.get('q') ?? WHOLE_LIST.text,
    type: query.get('type') ?? WHOLE_LIST.type,
    expires: chosen('expires', EXPIRIES, WHOLE_LIST.expires),
    writer: chosen('writer', WRITERS, WHOLE_LIST.writer),
    access: chosen('access', ACCESSES, WHOLE_LIST.access),
    sort: COLUMNS.find((one) => one === order.replace('-', '')) ?? WHOLE_LIST.sort,
    descending,
  };
}

/** The end of the address of a view, with its `?`; empty for the whole list. */
export function searchOf({ text, type, expires, writer, access, sort, descending }: View): string {
  const query = new URLSearchParams();
  const order = `${descending ? '-' : ''}${sort}`;
  if (text !== WHOLE_LIST.text) query.set('q', text);
  if (type !== WHOLE_LIST.type) query.set('type', type);
  if (expires !== WHOLE_LIST.expires) query.set('expires', expires);
  if (writer !== WHOLE_LIST.writer) query.set('writer', writer);
  if (access !== WHOLE_LIST.access) query.set('access', access);
  if (order !== WHOLE_LIST.sort) query.set('sort', order);
  const search = query.toString();
  return search === '' ? '' : `?${search}`;
}
