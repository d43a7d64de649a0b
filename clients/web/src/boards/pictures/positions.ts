/** The positions that the rules show, from the recorded games in `tests/data/vectors`. */
export interface Picture {
  /** The file's name, which begins with the game's. */
  name: string;
  /** The recorded game. */
  vector: string;
  ply: number;
  /** The seat that looks on, whose hand is shown; undefined: a spectator. */
  viewer?: number;
  /** The height, at a width of 640. */
  height: number;
}

export const PICTURES: readonly Picture[] = [
  { name: "offboard-setup", vector: "offboard-greedy", ply: 0, height: 645 },
  { name: "offboard-push", vector: "offboard-greedy", ply: 15, height: 645 },
  { name: "offboard-score", vector: "offboard-greedy", ply: 16, height: 645 },
  { name: "offboard-recovery", vector: "offboard-greedy", ply: 21, height: 645 },
  { name: "offtrack-setup", vector: "offtrack-two-seats", ply: 0, viewer: 0, height: 272 },
  { name: "offtrack-collect", vector: "offtrack-collapses", ply: 52, viewer: 1, height: 390 },
  { name: "offtrack-branch", vector: "offtrack-collapses", ply: 57, viewer: 1, height: 390 },
  { name: "offtrack-collapse", vector: "offtrack-collapses", ply: 58, viewer: 1, height: 390 },
  { name: "eternitium-setup", vector: "eternitium-last-round", ply: 0, viewer: 0, height: 485 },
  { name: "eternitium-play", vector: "eternitium-last-round", ply: 13, viewer: 1, height: 673 },
  { name: "eternitium-gamble", vector: "eternitium-last-round", ply: 14, viewer: 1, height: 587 },
  { name: "off_the_rails-setup", vector: "off_the_rails-two-seats", ply: 0, height: 628 },
  { name: "off_the_rails-tracks", vector: "off_the_rails-collisions", ply: 11, height: 628 },
  { name: "off_the_rails-collision", vector: "off_the_rails-two-seats", ply: 17, height: 628 },
  { name: "off_the_rails-chasm", vector: "off_the_rails-chasm-die", ply: 22, height: 628 },
];
