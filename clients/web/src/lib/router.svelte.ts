/** Which page the address names. Links are plain `<a href>`; clicks on them do not load anew. */

export type Route =
  | { page: "lobby" }
  | { page: "new"; game: string }
  | { page: "match"; matchId: string; at: number | undefined }
  | { page: "unknown" };

const MATCH = /^\/match\/([0-9a-f]{32})(?:\/at\/(\d{1,9}))?\/?$/;
const NEW = /^\/new(?:\/([a-z_]+))?\/?$/;

/** Reads a path. */
export function parse(path: string): Route {
  if (path === "/") return { page: "lobby" };
  const match = MATCH.exec(path);
  if (match?.[1]) {
    const at = match[2] === undefined ? undefined : Number(match[2]);
    return { page: "match", matchId: match[1], at };
  }
  const created = NEW.exec(path);
  return created ? { page: "new", game: created[1] ?? "" } : { page: "unknown" };
}

/** The path of a match, live or at a version. */
export function matchPath(matchId: string, at?: number): string {
  return at === undefined ? `/match/${matchId}` : `/match/${matchId}/at/${at}`;
}

class Router {
  /** What is shown. */
  route = $state.raw(parse(location.pathname));

  constructor() {
    addEventListener("popstate", () => this.#read());
    document.addEventListener("click", (event) => this.#follow(event));
  }

  /** Goes to another page of the application. */
  go(path: string): void {
    history.pushState(null, "", path);
    this.#read();
    scrollTo(0, 0);
  }

  /** Names the same page otherwise, without a step back to where it was. */
  rename(path: string): void {
    if (path !== location.pathname) history.replaceState(null, "", path);
    this.#read();
  }

  #read(): void {
    this.route = parse(location.pathname);
  }

  #follow(event: MouseEvent): void {
    const link = (event.target as Element | null)?.closest("a");
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey);
    if (!link || !isPlain || event.defaultPrevented || link.target || link.download) return;
    if (link.origin !== location.origin || parse(link.pathname).page === "unknown") return;
    event.preventDefault();
    this.go(link.pathname);
  }
}

export const router = new Router();
