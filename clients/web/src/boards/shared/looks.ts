/** How seats look: a colour, and a letter for those who do not tell colours apart. */
export interface Look {
  /** The name of the colour, as people say it. */
  title: string;
  letter: string;
  /** CSS colours: of the pieces, and of what is written on them. */
  fill: string;
  ink: string;
}

function look(title: string, token: string): Look {
  const letter = title.charAt(0).toUpperCase();
  return { title, letter, fill: `var(--${token})`, ink: `var(--on-${token})` };
}

/** The five colours of pieces. */
export const RED = look("red", "red");
export const YELLOW = look("yellow", "yellow");
export const GREEN = look("green", "green");
export const BLUE = look("blue", "blue");
export const VIOLET = look("violet", "violet");

/** The element of a list, for an index that is known to be in it. */
export function at<T>(list: readonly T[], index: number): T {
  const item = list[index];
  if (item === undefined) throw new RangeError(`no item ${index} of ${list.length}`);
  return item;
}

/** The words as one list: "a, b and c". */
export function listed(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} and ${last}`;
}

/** A number with its noun, as "1 card" or "2 cards". */
export function counted(number: number, noun: string, many = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : many}`;
}
