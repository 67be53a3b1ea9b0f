/** Something by its place in a list. */
export interface Neighbour {
  readonly place: number;
  readonly distance: number;
}

/** The nearest of many, at most as many as are asked for. Ties go to the lower place. */
export class Nearest {
  /** Sorted by distance, then by place. */
  readonly #found: Neighbour[] = [];

  constructor(readonly most: number) {}

  /** The farthest that was found, if another one must be nearer to be found. */
  get farthest(): Neighbour | undefined {
    return this.#found[this.most - 1];
  }

  add(place: number, distance: number): void {
    const found = this.#found;
    const isBefore = (other: Neighbour | undefined) =>
      other === undefined ||
      distance < other.distance ||
      (distance === other.distance && place < other.place);
    if (!isBefore(found[this.most - 1])) return;
    let at = found.length;
    while (at > 0 && isBefore(found[at - 1])) at--;
    found.splice(at, 0, { place, distance });
    if (found.length > this.most) found.pop();
  }

  /** Sorted by place. */
  inOrder(): Neighbour[] {
    return this.#found.toSorted((a, b) => a.place - b.place);
  }
}
