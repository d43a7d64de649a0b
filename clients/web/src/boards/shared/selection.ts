/**
 * How an action is put together from what is tapped, one step after another.
 *
 * A game writes each of its legal actions as a route: the names of the things that are tapped to
 * choose it. What can be tapped next then follows from the routes alone; no rule is known here.
 */

/** The name of something that can be tapped, as `cell:12`. */
export type Key = string;

/** A legal action, and how it is chosen. */
export interface Route<Action> {
  action: Action;
  /** What is tapped, in order. */
  steps: readonly Key[];
  /** The number of first steps that come in order; those behind them come in any order. */
  ordered?: number;
  /** Whether it is asked for once more before it is taken. */
  confirm?: boolean;
}

/** The routes that can still be followed after these steps. */
export function matching<A>(routes: readonly Route<A>[], chosen: readonly Key[]): Route<A>[] {
  return routes.filter((route) => rest(route, chosen) !== undefined);
}

/** What can be tapped after these steps. */
export function nextKeys<A>(routes: readonly Route<A>[], chosen: readonly Key[]): Set<Key> {
  const keys = new Set<Key>();
  for (const route of routes) {
    for (const key of following(route, chosen)) keys.add(key);
  }
  return keys;
}

/** The route that these steps complete, if they complete one. */
export function completed<A>(
  routes: readonly Route<A>[],
  chosen: readonly Key[],
): Route<A> | undefined {
  return chosen.length === 0
    ? undefined
    : routes.find((route) => rest(route, chosen)?.length === 0);
}

/** The steps after something was tapped; the same steps if it means nothing now. */
export function tapped<A>(
  routes: readonly Route<A>[],
  chosen: readonly Key[],
  key: Key,
): readonly Key[] {
  if (nextKeys(routes, chosen).has(key)) return [...chosen, key];
  const place = chosen.lastIndexOf(key);
  if (place >= 0) return without(routes, chosen, place);
  for (let length = chosen.length - 1; length >= 0; length -= 1) {
    const shorter = chosen.slice(0, length);
    if (nextKeys(routes, shorter).has(key)) return [...shorter, key];
  }
  return chosen;
}

/** Take a step back: it alone where the order is free, else all behind it too. */
function without<A>(routes: readonly Route<A>[], chosen: readonly Key[], place: number): Key[] {
  const others = chosen.filter((_, index) => index !== place);
  const isFree = matching(routes, chosen).every((route) => place >= inOrder(route));
  return isFree ? others : chosen.slice(0, place);
}

function following<A>(route: Route<A>, chosen: readonly Key[]): readonly Key[] {
  const left = rest(route, chosen);
  if (left === undefined) return [];
  return chosen.length < inOrder(route) ? left.slice(0, 1) : left;
}

/** The steps of a route that are left after these; undefined if they lead elsewhere. */
function rest<A>(route: Route<A>, chosen: readonly Key[]): readonly Key[] | undefined {
  const ordered = inOrder(route);
  const first = Math.min(ordered, chosen.length);
  for (let index = 0; index < first; index += 1) {
    if (route.steps[index] !== chosen[index]) return undefined;
  }
  if (chosen.length <= ordered) return route.steps.slice(chosen.length);
  return difference(route.steps.slice(ordered), chosen.slice(ordered));
}

/** What is left of a list when each of these is taken out once; undefined if one is not in it. */
function difference(all: readonly Key[], taken: readonly Key[]): Key[] | undefined {
  const left = [...all];
  for (const key of taken) {
    const place = left.indexOf(key);
    if (place < 0) return undefined;
    left.splice(place, 1);
  }
  return left;
}

function inOrder<A>(route: Route<A>): number {
  return route.ordered ?? route.steps.length;
}
