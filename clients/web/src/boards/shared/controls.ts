/** The keyboard on a board: one stop of the Tab key, and arrows from control to control. */

/** The middle of something on the screen. */
export interface Spot {
  x: number;
  y: number;
}

const DIRECTIONS: Readonly<Record<string, Spot>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** How much worse a step aside is than a step ahead; so that on hexagons none leaps over a row. */
const ASIDE = 1.5;

/** The index of the spot that lies next in a direction; undefined if none lies there. */
export function nearest(from: Spot, spots: readonly Spot[], direction: Spot): number | undefined {
  let best: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [index, spot] of spots.entries()) {
    const dx = spot.x - from.x;
    const dy = spot.y - from.y;
    const ahead = dx * direction.x + dy * direction.y;
    const aside = Math.abs(dx * direction.y) + Math.abs(dy * direction.x);
    const distance = ahead + ASIDE * aside;
    if (ahead > 1 && distance < least) {
      least = distance;
      best = index;
    }
  }
  return best;
}

/** What controls are played into. */
export interface Player {
  /** A control with these names, the first of them the foremost, was tapped. */
  tap(...keys: readonly string[]): void;
  /** A control is pointed at or has the focus; without names: none. */
  point(...keys: readonly string[]): void;
  /** The last step is taken back; says whether there was one. */
  back(): boolean;
}

/**
 * Make the elements with `data-key` in a board its controls, for `{@attach controls(player)}`: they
 * are tapped by click, Enter and Space, and reached by arrows, Home and End; Escape goes back.
 * `data-key` holds the names of what stands there, split by spaces.
 */
export function controls(player: Player): (board: HTMLElement) => () => void {
  return (board) => {
    const focus = new Focus(board);
    const changes = new MutationObserver(() => {
      keepOneStop(board);
      focus.mend();
    });
    changes.observe(board, { childList: true, subtree: true });
    keepOneStop(board);
    const listening = new AbortController();
    const listen = <K extends keyof HTMLElementEventMap>(
      kind: K,
      listener: (event: HTMLElementEventMap[K]) => void,
    ) => board.addEventListener(kind, listener, { signal: listening.signal });
    listen("click", (event) => tap(player, controlOf(event.target)));
    listen("keydown", (event) => {
      if (press(board, player, event)) event.preventDefault();
    });
    listen("focusin", (event) => {
      focus.came(event.target);
      arrive(board, player, controlOf(event.target));
    });
    // What has the focus may be taken away amid a drawing, in which nothing may be told.
    listen("focusout", () =>
      queueMicrotask(() => {
        focus.went();
        if (!board.contains(document.activeElement)) player.point();
      }),
    );
    listen("pointerover", (event) => player.point(...keysOf(controlOf(event.target))));
    listen("pointerleave", () => player.point());
    return () => {
      changes.disconnect();
      listening.abort();
    };
  };
}

/** The focus inside a board: when what has it goes away, a control that can be tapped gets it. */
class Focus {
  readonly #board: HTMLElement;
  #held: Element | undefined;

  constructor(board: HTMLElement) {
    this.#board = board;
  }

  came(target: EventTarget | null): void {
    this.#held = target instanceof Element ? target : undefined;
  }

  /** It went elsewhere, unless what had it is just being removed. */
  went(): void {
    if (this.#held?.isConnected && this.#held !== document.activeElement) this.#held = undefined;
  }

  mend(): void {
    if (this.#held === undefined || this.#held.isConnected) return;
    this.#held = undefined;
    const stop = '[data-key][tabindex="0"]';
    const open = '[data-key]:not([aria-disabled="true"])';
    const wanted = [`${stop}:not([aria-disabled="true"])`, open, stop];
    const found = wanted.map((which) => this.#board.querySelector<Control>(which));
    found.find((control) => control !== null)?.focus();
  }
}

type Control = HTMLElement | SVGElement;

function controlsOf(board: HTMLElement): Control[] {
  return [...board.querySelectorAll<Control>("[data-key]")];
}

function controlOf(target: EventTarget | null): Control | undefined {
  const element = target instanceof Element ? target.closest<Control>("[data-key]") : null;
  return element ?? undefined;
}

function keepOneStop(board: HTMLElement, wanted?: Control): void {
  const stops = board.querySelectorAll('[data-key][tabindex="0"]');
  const stop = wanted ?? stops[0] ?? board.querySelector("[data-key]");
  for (const other of stops) if (other !== stop) other.setAttribute("tabindex", "-1");
  stop?.setAttribute("tabindex", "0");
}

function keysOf(control: Control | undefined): string[] {
  return control?.dataset.key?.split(" ") ?? [];
}

function tap(player: Player, control: Control | undefined): void {
  if (control !== undefined) player.tap(...keysOf(control));
}

function arrive(board: HTMLElement, player: Player, control: Control | undefined): void {
  if (control === undefined) return;
  keepOneStop(board, control);
  player.point(...keysOf(control));
}

/** Do what a key asks for; says whether it asked for anything. */
function press(board: HTMLElement, player: Player, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  if (event.key === "Escape") return player.back();
  const control = controlOf(event.target);
  if (control === undefined) return false;
  if ((event.key === "Enter" || event.key === " ") && !(control instanceof HTMLButtonElement)) {
    tap(player, control);
    return true;
  }
  const goal = goalOf(event.key, control, controlsOf(board));
  goal?.focus();
  return goal !== undefined || event.key in DIRECTIONS;
}

function goalOf(key: string, control: Control, all: Control[]): Control | undefined {
  if (key === "Home") return all[0];
  if (key === "End") return all.at(-1);
  const direction = DIRECTIONS[key];
  if (direction === undefined) return undefined;
  const goal = nearest(middle(control), all.map(middle), direction);
  return goal === undefined ? undefined : all[goal];
}

function middle(control: Control): Spot {
  const box = control.getBoundingClientRect();
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}
