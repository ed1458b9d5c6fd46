import { formOf, presented, presentedList } from '../api/form.ts';
import { type ApiObject } from '../api/object.ts';
import { type ApiRequest } from '../api/request.ts';
import { notFound } from '../api/status.ts';
import { jsonResponse, rawResponse, type ApiResponse } from '../http/api-response.ts';
import { type JsonObject } from '../json/json.ts';
import { resourceSubject, type Kind } from '../kinds/kind.ts';
import { parseFieldSelector } from '../selectors/field-selector.ts';
import { parseLabelSelector } from '../selectors/label-selector.ts';
import { type ResourceContext } from './context.ts';
import { continueToken } from './continue-token.ts';
import { listPlan, type ListPlan } from './list-plan.ts';

/** GET on a name. */
export function read({ store }: ResourceContext, kind: Kind, request: ApiRequest): ApiResponse {
  const { namespace, name } = request.info;
  const object = store.get(kind, namespace, name);
  if (object === undefined) throw notFound(resourceSubject(kind, name));
  return jsonResponse(200, presented(kind, object, formOf(request.headers.accept, false)));
}

/** GET on a collection. */
export function list(context: ResourceContext, kind: Kind, request: ApiRequest): ApiResponse {
  const form = formOf(request.headers.accept, true);
  const { items, metadata } = listedPage(context, kind, request);
  return rawResponse(200, presentedList(kind, items, metadata, form));
}

/** A page of a collection, by the selectors, `limit` and `continue` of a request. */
export function listedPage(
  { store }: ResourceContext,
  kind: Kind,
  request: ApiRequest,
): { readonly items: readonly ApiObject[]; readonly metadata: JsonObject } {
  const selects = selection(kind, request.query);
  const plan = listPlan(request.query, store);
  const prefix = kind.namespaced && request.info.namespace !== '' ? `${request.info.namespace}/` : '';
  const entries = Iterator.from(store.entriesFrom(kind, request.info.namespace, plan.start, plan.revision));
  const { items, next } = page(entries, selects, plan.limit);
  if (next === undefined) return { items, metadata: listMetadata(plan) };
  // How many are left is only known where no selector has to look at them.
  const left = selects.everything ? { remainingItemCount: next.left() } : {};
  return { items, metadata: listMetadata(plan, next.behind.slice(prefix.length), left) };
}

export interface Selection {
  readonly everything: boolean;
  matches(object: ApiObject): boolean;
}

/** What the label and field selectors of a query let through. */
export function selection(kind: Kind, query: URLSearchParams): Selection {
  const labelText = query.get('labelSelector') ?? '';
  const labels = parseLabelSelector(labelText);
  const fields = parseFieldSelector(query.get('fieldSelector') ?? '', kind);
  return {
    everything: labelText === '' && fields.empty,
    matches: (object) => labels(object.metadata.labels) && fields.matches(object),
  };
}

/** The first `limit` objects that match, and what is behind the last one when there are more keys. */
function page(
  entries: IteratorObject<readonly [string, ApiObject]>,
  selects: Selection,
  limit: number,
): {
  readonly items: readonly ApiObject[];
  readonly next: { readonly behind: string; readonly left: () => number } | undefined;
} {
  const items: ApiObject[] = [];
  for (let read = entries.next(); read.done !== true; read = entries.next()) {
    const [key, object] = read.value;
    if (!selects.matches(object)) continue;
    items.push(object);
    if (limit === 0 || items.length < limit) continue;
    const isLast = entries.next().done === true;
    const left = (): number => 1 + entries.reduce((count) => count + 1, 0);
    return { items, next: isLast ? undefined : { behind: key, left } };
  }
  return { items, next: undefined };
}

function listMetadata(plan: ListPlan, next?: string, left: JsonObject = {}): JsonObject {
  const resourceVersion = String(plan.revision);
  if (next === undefined) return { resourceVersion };
  const token = continueToken({ revision: plan.revision, start: `${next}\u0000` });
  return { resourceVersion, continue: token, ...left };
}
