import type { FinishReason } from '../../wire';

/** By choice; null: it has begun and has none yet. Nearly every answer has choice 0 alone, and takes no map for it. */
export class FinishReasons {
  private first: FinishReason | null | undefined = undefined;
  private others: Map<number, FinishReason | null> | null = null;

  get none(): boolean {
    return this.first === undefined && this.others === null;
  }

  /** Undefined: this choice has not begun. */
  get(choice: number): FinishReason | null | undefined {
    return choice === 0 ? this.first : this.others?.get(choice);
  }

  set(choice: number, reason: FinishReason | null): void {
    if (choice === 0) this.first = reason;
    else (this.others ??= new Map()).set(choice, reason);
  }
}
