/** Somebody on a roster; the roster keeps `place`, which is -1 for who is on none. */
export interface Rostered {
  place: number;
}

/**
 * A set of objects that come and go thousands of times a second, each on one roster at a time. In no order. A Set
 * would keep those that have gone alive; see IdTable.
 */
export class Roster<T extends Rostered> {
  private readonly members: T[] = [];

  get size(): number {
    return this.members.length;
  }

  add(member: T): void {
    if (member.place !== -1) return;
    member.place = this.members.push(member) - 1;
  }

  delete(member: T): void {
    const { place } = member;
    if (place === -1) return;
    member.place = -1;
    const last = this.members.pop()!;
    if (last === member) return;
    this.members[place] = last;
    last.place = place;
  }

  /** Those of now; whoever leaves meanwhile makes another one be passed over, so copy it where that matters. */
  all(): readonly T[] {
    return this.members;
  }
}
